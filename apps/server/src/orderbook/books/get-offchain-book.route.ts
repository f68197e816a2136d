import { orderbookOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const getOffchainBookRoute = (service: OffchainBooksService) =>
  route(orderbookOperations.getOffchainBook, async ({ tenant, params }) => ({
    data: await service.get(tenant, params.orderBookId),
  }))
