import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const getInstanceRoute = (access: AccessService) =>
  route(accessOperations.getInstance, async ({ tenant, caller }) => ({ data: await access.instance(tenant, caller) }))
