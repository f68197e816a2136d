import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadAuctions } from './read-auctions.service.ts'

export const getLoanAuctionRoute = (auctions: ReadAuctions) =>
  route(lendingOperations.getLoanAuction, ({ tenant, mountedAt, params }) =>
    auctions.ofLoan({ tenant, mountedAt }, params.marketId, params.loanId),
  )
