import { sessionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const addUserRoute = ({ users }: AccessService) =>
  administrativeRoute(sessionOperations.addUser, ({ tenant, caller, body }) => users.add(tenant, caller, body))
