import { accessOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const rotateKeyRoute = ({ keys }: AccessService) =>
  administrativeRoute(accessOperations.rotateKey, ({ tenant, caller, params }) =>
    keys.rotate(tenant, caller, params.keyId),
  )
