import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Ledger } from './ledger.service.ts'

export const listStockTransactionsRoute = (ledger: Ledger) =>
  route(stocksOperations.listStockTransactions, ({ tenant, params, query }) =>
    ledger.transactions(tenant, params.tokenAddress, query),
  )
