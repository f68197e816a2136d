import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const setOffchainPriceReferenceRoute = (service: OffchainBooksService) =>
  route(tradingOperations.setOffchainPriceReference, async ({ tenant, caller, params, body }) => ({
    data: await service.setReference(tenant, caller, params.orderBookId, body.price),
  }))
