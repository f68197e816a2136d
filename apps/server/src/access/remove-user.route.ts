import { sessionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const removeUserRoute = ({ users }: AccessService) =>
  administrativeRoute(sessionOperations.removeUser, ({ tenant, caller, params }) =>
    users.remove(tenant, caller, params.userId),
  )
