import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassReferencesService } from './class-references.service.ts'

export const listPriceReferenceHistoryRoute = (service: ClassReferencesService) =>
  route(tradingOperations.listPriceReferenceHistory, async ({ tenant, mountedAt, params, query }) => ({
    data: await service.history(tenant, mountedAt, params.orderBookId, query),
  }))
