import { sessionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const listUsersRoute = ({ users }: AccessService) =>
  route(sessionOperations.listUsers, async ({ tenant }) => ({ data: { users: await users.list(tenant) } }))
