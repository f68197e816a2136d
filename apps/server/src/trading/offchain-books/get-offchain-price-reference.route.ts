import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const getOffchainPriceReferenceRoute = (service: OffchainBooksService) =>
  route(tradingOperations.getOffchainPriceReference, async ({ tenant, params }) => ({
    data: await service.reference(tenant, params.orderBookId),
  }))
