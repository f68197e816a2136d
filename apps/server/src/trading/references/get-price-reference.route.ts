import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassReferencesService } from './class-references.service.ts'

export const getPriceReferenceRoute = (service: ClassReferencesService) =>
  route(tradingOperations.getPriceReference, async ({ tenant, mountedAt, params }) => ({
    data: await service.get(tenant, mountedAt, params.orderBookId),
  }))
