import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const listLicenseTypesRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.listLicenseTypes, ({ rows }) => register.licenseTypes(rows))
