import { sessionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const signOutRoute = ({ sessions }: AccessService) =>
  route(sessionOperations.signOut, async ({ tenant, caller, query }) => ({
    data: await sessions.signOut(tenant, caller, query),
    session: null,
  }))
