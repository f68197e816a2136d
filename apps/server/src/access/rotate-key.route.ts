import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { AccessService } from './access.service.ts'

export const rotateKeyRoute = ({ keys }: AccessService) =>
  route(accessOperations.rotateKey, async ({ tenant, caller, params }) => ({
    data: await keys.rotate(tenant, caller, params.keyId),
  }))
