import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Readiness } from './readiness.service.ts'

export const getBookReadinessRoute = (service: Readiness) =>
  route(tradingOperations.getBookReadiness, async ({ tenant, params, mountedAt }) => ({
    data: await service.get(tenant, mountedAt, params.orderBookId),
  }))
