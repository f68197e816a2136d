import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { AccessService } from './access.service.ts'

export const createKeyRoute = ({ keys }: AccessService) =>
  route(accessOperations.createKey, async ({ tenant, caller, body }) => ({
    data: await keys.create(tenant, caller, body),
  }))
