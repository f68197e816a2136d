import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Fetch } from './fetch.service.ts'

export const getShareBalanceRoute = (fetch: Fetch) =>
  route(stocksOperations.getShareBalance, ({ tenant, params }) =>
    fetch.balance(tenant, params.tokenAddress, params.account),
  )
