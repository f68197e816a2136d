import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const listSharedPeersRoute = (service: ClassBooksService) =>
  route(tradingOperations.listSharedPeers, async ({ tenant, mountedAt, params }) => ({
    data: await service.peers(tenant, mountedAt, params.orderBookId),
  }))
