import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Ledger } from './ledger.service.ts'

export const listHoldersRoute = (ledger: Ledger) =>
  route(stocksOperations.listHolders, ({ tenant, params, query }) => ledger.holders(tenant, params.tokenAddress, query))
