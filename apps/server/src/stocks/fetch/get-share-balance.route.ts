import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Fetch } from './fetch.service.ts'

export const getShareBalanceRoute = (fetch: Fetch) =>
  route(stocksOperations.getShareBalance, ({ tenant, params }) =>
    fetch.balance(tenant, params.tokenAddress, params.account),
  )
