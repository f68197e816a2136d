import { accessOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const revokeKeyRoute = ({ keys }: AccessService) =>
  administrativeRoute(accessOperations.revokeKey, ({ tenant, caller, params }) =>
    keys.revoke(tenant, caller, params.keyId),
  )
