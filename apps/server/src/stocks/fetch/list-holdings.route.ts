import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Fetch } from './fetch.service.ts'

export const listHoldingsRoute = (fetch: Fetch) =>
  route(stocksOperations.listHoldings, ({ tenant, caller, params }) =>
    fetch.holdings(tenant, caller.instance, params.walletAddress),
  )
