import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const listRegisterChangesRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.listRegisterChanges, ({ rows, query }) => register.changes(rows, query))
