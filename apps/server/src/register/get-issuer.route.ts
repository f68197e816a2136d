import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const getIssuerRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.getIssuer, ({ rows, params }) => register.get(rows, params.id))
