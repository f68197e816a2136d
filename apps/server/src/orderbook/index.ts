import type { Route } from '../platform/http/mount.ts'
import { createAccountsService } from './accounts/accounts.service.ts'
import { createAccountRoute } from './accounts/create-account.route.ts'
import { getAccountRoute } from './accounts/get-account.route.ts'
import { listAccountsRoute } from './accounts/list-accounts.route.ts'
import { updateAccountRoute } from './accounts/update-account.route.ts'
import { createBooksService } from './books/books.service.ts'
import { createOffchainBookRoute } from './books/create-offchain-book.route.ts'
import { getOffchainBookRoute } from './books/get-offchain-book.route.ts'
import { getOffchainPriceReferenceRoute } from './books/get-offchain-price-reference.route.ts'
import { getOffchainSnapshotRoute } from './books/get-offchain-snapshot.route.ts'
import { listOffchainBooksRoute } from './books/list-offchain-books.route.ts'
import { listOffchainTradesRoute } from './books/list-offchain-trades.route.ts'
import { createOffchainBooksService } from './books/offchain-books.service.ts'
import { createPriceReferenceService } from './books/price-reference.service.ts'
import { setOffchainPriceReferenceRoute } from './books/set-offchain-price-reference.route.ts'
import { updateOffchainBookRoute } from './books/update-offchain-book.route.ts'
import { creditLedgerRoute } from './ledger/credit-ledger.route.ts'
import { debitLedgerRoute } from './ledger/debit-ledger.route.ts'
import { createLedgerService } from './ledger/ledger.service.ts'
import { listLedgerBalancesRoute } from './ledger/list-ledger-balances.route.ts'
import { listLedgerEntriesRoute } from './ledger/list-ledger-entries.route.ts'
import { listLedgerTokensRoute } from './ledger/list-ledger-tokens.route.ts'
import { registerLedgerTokenRoute } from './ledger/register-ledger-token.route.ts'
import { amendOffchainOrderRoute } from './orders/amend-offchain-order.route.ts'
import { cancelOffchainOrderRoute } from './orders/cancel-offchain-order.route.ts'
import { getOffchainOrderRoute } from './orders/get-offchain-order.route.ts'
import { listCustomerOrdersRoute } from './orders/list-customer-orders.route.ts'
import { listCustomerTradesRoute } from './orders/list-customer-trades.route.ts'
import { massCancelOffchainOrdersRoute } from './orders/mass-cancel-offchain-orders.route.ts'
import { createOrdersService } from './orders/orders.service.ts'
import { submitOffchainOrderRoute } from './orders/submit-offchain-order.route.ts'
import { submitOffchainOrdersRoute } from './orders/submit-offchain-orders.route.ts'
import type { OrderbookParts } from './parts.ts'
import { createClassBooksService } from './reads/class-books.service.ts'
import { getDailyStatsRoute } from './reads/get-daily-stats.route.ts'
import { getOrderBookRoute } from './reads/get-order-book.route.ts'
import { getOrderBookSnapshotRoute } from './reads/get-order-book-snapshot.route.ts'
import { getOrderBookStatsRoute } from './reads/get-order-book-stats.route.ts'
import { importBookRoute } from './reads/import-book.route.ts'
import { createImportsService } from './reads/imports.service.ts'
import { listImportableBooksRoute } from './reads/list-importable-books.route.ts'
import { listOrderBookTradesRoute } from './reads/list-order-book-trades.route.ts'
import { listOrderBooksRoute } from './reads/list-order-books.route.ts'
import { listSharedPeersRoute } from './reads/list-shared-peers.route.ts'
import { createReadsService } from './reads/reads.service.ts'
import { removeBookImportRoute } from './reads/remove-book-import.route.ts'
import { updateOrderBookRoute } from './reads/update-order-book.route.ts'
import { createUnitsService, type UnitsParts } from './unit/units.service.ts'

export interface OrderbookSettings extends Pick<UnitsParts, 'snapshotEvery' | 'largestGroup'> {
  /** Rows behind the daily statistics, above which the oldest days are left out. */
  readonly dailyStatsCeiling?: number
}

/** The order books of this process. Any number of processes may serve the same ones. */
export function createOrderbook(wish: UnitsParts & OrderbookSettings) {
  const units = createUnitsService(wish)
  const parts: OrderbookParts = { ...wish, units }
  const books = createBooksService(parts)
  const reads = createReadsService({ ...wish, units })
  return {
    units,
    books,
    reads,
    orders: createOrdersService({ ...parts, books }),
    ledger: createLedgerService(parts),
    accounts: createAccountsService(parts),
    offchain: createOffchainBooksService({ books, reads, references: createPriceReferenceService(parts) }),
    classes: createClassBooksService({ books, reads, imports: createImportsService(parts) }),
  }
}

export type Orderbook = ReturnType<typeof createOrderbook>

export function orderbookRoutes({ accounts, ledger, orders, offchain, classes }: Orderbook): Route[] {
  return [
    createAccountRoute(accounts),
    getAccountRoute(accounts),
    listAccountsRoute(accounts),
    updateAccountRoute(accounts),
    creditLedgerRoute(ledger),
    debitLedgerRoute(ledger),
    listLedgerBalancesRoute(ledger),
    listLedgerEntriesRoute(ledger),
    listLedgerTokensRoute(ledger),
    registerLedgerTokenRoute(ledger),
    amendOffchainOrderRoute(orders),
    cancelOffchainOrderRoute(orders),
    getOffchainOrderRoute(orders),
    listCustomerOrdersRoute(orders),
    listCustomerTradesRoute(orders),
    massCancelOffchainOrdersRoute(orders),
    submitOffchainOrderRoute(orders),
    submitOffchainOrdersRoute(orders),
    createOffchainBookRoute(offchain),
    getOffchainBookRoute(offchain),
    getOffchainPriceReferenceRoute(offchain),
    getOffchainSnapshotRoute(offchain),
    listOffchainBooksRoute(offchain),
    listOffchainTradesRoute(offchain),
    setOffchainPriceReferenceRoute(offchain),
    updateOffchainBookRoute(offchain),
    getDailyStatsRoute(classes),
    getOrderBookSnapshotRoute(classes),
    getOrderBookStatsRoute(classes),
    getOrderBookRoute(classes),
    importBookRoute(classes),
    listImportableBooksRoute(classes),
    listOrderBookTradesRoute(classes),
    listOrderBooksRoute(classes),
    listSharedPeersRoute(classes),
    removeBookImportRoute(classes),
    updateOrderBookRoute(classes),
  ]
}
