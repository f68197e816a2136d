import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const listKeyRequestsRoute = ({ requests }: AccessService) =>
  route(accessOperations.listKeyRequests, async ({ tenant, params }) => ({
    data: await requests.list(tenant, params.keyId),
  }))
