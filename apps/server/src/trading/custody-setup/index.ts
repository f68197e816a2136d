import type { Route } from '../../platform/http/route.ts'
import type { BooksService } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import type { ReadsService } from '../reads/index.ts'
import { approveQuoteAssetRoute } from './approve-quote-asset.route.ts'
import { createBalances } from './balances.service.ts'
import { createBookChanges } from './change-book.service.ts'
import { createBookCreation } from './create-books.service.ts'
import { createCommodityBookRoute } from './create-commodity-book.route.ts'
import { createSecurityBookRoute } from './create-security-book.route.ts'
import { createStockBookRoute } from './create-stock-book.route.ts'
import { getBookReadinessRoute } from './get-book-readiness.route.ts'
import { getBookSecurityRoute } from './get-book-security.route.ts'
import { getCustodyBalanceRoute } from './get-custody-balance.route.ts'
import { getCustodyContractRoute } from './get-custody-contract.route.ts'
import { listSecurityTokensRoute } from './list-security-tokens.route.ts'
import { createReadiness } from './readiness.service.ts'
import { createSecurities } from './securities.service.ts'
import { updateOrderBookRoute } from './update-order-book.route.ts'
import { vaultRoutes } from './vault.writes.ts'

/** On-chain books, and what their custody contracts say. */
export function createCustodySetup(
  parts: TradingParts & { readonly books: BooksService; readonly reads: ReadsService },
) {
  return {
    creation: createBookCreation(parts),
    changes: createBookChanges(parts),
    readiness: createReadiness(parts),
    securities: createSecurities(parts),
    balances: createBalances(parts),
    vault: vaultRoutes(parts),
  }
}

type CustodySetup = ReturnType<typeof createCustodySetup>

export const custodySetupRoutes = ({
  creation,
  changes,
  readiness,
  securities,
  balances,
  vault,
}: CustodySetup): Route[] => [
  createStockBookRoute(creation),
  createCommodityBookRoute(creation),
  createSecurityBookRoute(creation),
  updateOrderBookRoute(changes),
  getBookReadinessRoute(readiness),
  getCustodyContractRoute(securities),
  listSecurityTokensRoute(securities),
  getBookSecurityRoute(securities),
  approveQuoteAssetRoute(securities),
  getCustodyBalanceRoute(balances),
  ...vault,
]
