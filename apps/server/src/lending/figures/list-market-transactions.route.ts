import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ListTransactions } from './transactions.service.ts'

export const listMarketTransactionsRoute = (list: ListTransactions) =>
  route(lendingOperations.listMarketTransactions, ({ tenant, mountedAt, params, query }) =>
    list({ tenant, mountedAt }, params.marketId, query),
  )
