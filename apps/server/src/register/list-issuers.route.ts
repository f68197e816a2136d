import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const listIssuersRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.listIssuers, ({ rows, query }) => register.list(rows, query))
