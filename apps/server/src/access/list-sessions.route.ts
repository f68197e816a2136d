import { sessionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const listSessionsRoute = ({ sessions }: AccessService) =>
  route(sessionOperations.listSessions, async ({ tenant, caller }) => ({
    data: { sessions: await sessions.list(tenant, caller) },
  }))
