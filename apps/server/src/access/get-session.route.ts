import { sessionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const getSessionRoute = ({ sessions }: AccessService) =>
  route(sessionOperations.getSession, async ({ tenant, caller }) => ({ data: await sessions.current(tenant, caller) }))
