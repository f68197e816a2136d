import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/mount.ts'
import type { RegisterService } from './register.service.ts'

export const listRegisterChangesRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.listRegisterChanges, ({ rows, query }) => register.changes(rows, query))
