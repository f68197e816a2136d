import { sessionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const changeUserRoute = ({ users }: AccessService) =>
  administrativeRoute(sessionOperations.changeUser, ({ tenant, caller, params, body }) =>
    users.change(tenant, caller, params.userId, body),
  )
