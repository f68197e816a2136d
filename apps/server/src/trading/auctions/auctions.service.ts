import type { AuctionRecord } from '@tallystick/wire'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import type { BooksService } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import * as store from './auctions.store.ts'

const asAuction = (row: store.AuctionView): AuctionRecord => ({
  id: row.auctionId,
  orderBookId: row.bookId,
  startedAt: row.startedAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  status: row.status,
  clearingPrice: row.clearingPrice?.toString() ?? null,
  matchedVolume: row.matchedVolume.toString(),
  orderCount: row.orderCount,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Auctions of stock books, own or imported. */
export function createAuctionsService({
  books,
  units,
}: Pick<TradingParts, 'units'> & { readonly books: BooksService }) {
  async function find(tenant: TenantDatabase, bookId: string, auctionId: string | null): Promise<AuctionRecord | null> {
    if (auctionId === null || !isUuid(auctionId)) return null
    const [row] = await tenant.read((sql) => store.readAuction(sql, bookId, auctionId))
    return row ? asAuction(row) : null
  }

  return {
    async current(tenant: TenantDatabase, orderBookId: string): Promise<AuctionRecord | null> {
      const { bookId, currentAuctionId, unitId, version } = await books.require(tenant, orderBookId, 'stocks')
      const found = await find(tenant, bookId, currentAuctionId)
      if (!found) return null
      const clearing = await units.look(unitId, version, ({ engine }) => engine.indicative(bookId))
      return { ...found, indicative: clearing && { price: String(clearing.price), volume: String(clearing.volume) } }
    },
    async get(tenant: TenantDatabase, orderBookId: string, auctionId: string): Promise<AuctionRecord | null> {
      const { bookId } = await books.require(tenant, orderBookId, 'stocks')
      return find(tenant, bookId, auctionId)
    },
  }
}

export type AuctionsService = ReturnType<typeof createAuctionsService>
