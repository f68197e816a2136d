import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const listCountriesRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.listCountries, ({ rows }) => register.countries(rows))
