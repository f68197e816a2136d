import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const searchRoute = ({ search }: AccessService) =>
  route(accessOperations.search, async ({ tenant, caller, query }) => ({
    data: await search(tenant, caller, query.q ?? ''),
  }))
