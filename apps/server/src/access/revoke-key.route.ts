import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { AccessService } from './access.service.ts'

export const revokeKeyRoute = ({ keys }: AccessService) =>
  route(accessOperations.revokeKey, async ({ tenant, caller, params }) => ({
    data: await keys.revoke(tenant, caller, params.keyId),
  }))
