import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadAuctions } from './read-auctions.service.ts'

export const listAuctionsRoute = (auctions: ReadAuctions) =>
  route(lendingOperations.listAuctions, ({ tenant, mountedAt, params }) =>
    auctions.list({ tenant, mountedAt }, params.marketId),
  )
