import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Fetch } from './fetch.service.ts'

export const canTransferSharesRoute = (fetch: Fetch) =>
  route(stocksOperations.canTransferShares, ({ tenant, params, query }) =>
    fetch.canTransfer(tenant, params.tokenAddress, query),
  )
