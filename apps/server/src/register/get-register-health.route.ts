import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const getRegisterHealthRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.getRegisterHealth, ({ rows }) => register.health(rows))
