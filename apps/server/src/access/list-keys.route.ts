import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const listKeysRoute = ({ keys }: AccessService) =>
  route(accessOperations.listKeys, async ({ tenant }) => ({ data: await keys.list(tenant) }))
