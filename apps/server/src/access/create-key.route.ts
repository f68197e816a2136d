import { accessOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const createKeyRoute = ({ keys }: AccessService) =>
  administrativeRoute(accessOperations.createKey, ({ tenant, caller, body }) => keys.create(tenant, caller, body))
