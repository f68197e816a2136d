import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassReferencesService } from './class-references.service.ts'

export const setPriceReferenceRoute = (service: ClassReferencesService) =>
  route(tradingOperations.setPriceReference, async ({ tenant, caller, mountedAt, params, body }) => ({
    data: await service.set(tenant, caller, mountedAt, params.orderBookId, body.price),
  }))
