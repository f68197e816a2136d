import type { Route } from '../../platform/http/route.ts'
import { createOffchainBookRoute } from './create-offchain-book.route.ts'
import { getOffchainBookRoute } from './get-offchain-book.route.ts'
import { getOffchainPriceReferenceRoute } from './get-offchain-price-reference.route.ts'
import { getOffchainSnapshotRoute } from './get-offchain-snapshot.route.ts'
import { listOffchainBooksRoute } from './list-offchain-books.route.ts'
import { listOffchainCandlesRoute } from './list-offchain-candles.route.ts'
import { listOffchainTradesRoute } from './list-offchain-trades.route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'
import { setOffchainPriceReferenceRoute } from './set-offchain-price-reference.route.ts'
import { updateOffchainBookRoute } from './update-offchain-book.route.ts'

export { createOffchainBooksService } from './offchain-books.service.ts'

export const offchainBookRoutes = (books: OffchainBooksService): Route[] => [
  createOffchainBookRoute(books),
  getOffchainBookRoute(books),
  getOffchainPriceReferenceRoute(books),
  getOffchainSnapshotRoute(books),
  listOffchainBooksRoute(books),
  listOffchainCandlesRoute(books),
  listOffchainTradesRoute(books),
  setOffchainPriceReferenceRoute(books),
  updateOffchainBookRoute(books),
]
