import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const amendOrderRoute = (service: ClassOrdersService) =>
  route(tradingOperations.amendOrder, async ({ tenant, caller, mountedAt, params, body }) => ({
    data: await service.amend(tenant, caller, mountedAt, { ...params, ...body }),
  }))
