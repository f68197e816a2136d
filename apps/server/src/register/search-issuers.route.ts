import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const searchIssuersRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.searchIssuers, ({ rows, query }) => register.search(rows, query))
