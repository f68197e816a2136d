import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const getHealthRoute = (access: AccessService) =>
  route(accessOperations.getHealth, async ({ tenant }) => ({ data: await access.health(tenant) }))
