import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { asOrderBook } from '../books/index.rules.ts'
import type { BookRequest, BooksService, NewBook } from '../books/index.ts'
import type { CandlesRequest, ReadsService, TradesRequest } from '../reads/index.ts'
import type { PriceReferenceService } from '../references/index.ts'

type OffchainRequest = Omit<NewBook, 'class' | 'settlementMode' | 'tokenType'> & {
  readonly tokenType?: 'STOCK_TOKEN' | 'LIGHT_TOKEN'
}

/** Books whose trades settle in the ledger. */
export function createOffchainBooksService(parts: {
  readonly books: BooksService
  readonly reads: ReadsService
  readonly references: PriceReferenceService
}) {
  const { books, reads, references } = parts

  /** Any mode: what is only looked at needs no ledger. */
  async function readable(tenant: TenantDatabase, bookId: string) {
    const row = await books.find(tenant, bookId)
    if (!row) throw new AppError('ORDER_BOOK_NOT_FOUND')
    return row
  }

  return {
    create: (tenant: TenantDatabase, caller: Caller, request: OffchainRequest) =>
      books.create(tenant, caller, {
        ...request,
        tokenType: request.tokenType ?? 'LIGHT_TOKEN',
        class: 'stocks',
        settlementMode: 'OFF_CHAIN',
      }),
    list: (tenant: TenantDatabase, status: string | undefined) => books.listOffchain(tenant, status),
    get: async (tenant: TenantDatabase, bookId: string) => asOrderBook(await books.requireOffchain(tenant, bookId)),
    update: async (tenant: TenantDatabase, caller: Caller, bookId: string, request: BookRequest) =>
      books.update(tenant, caller, await books.requireOffchain(tenant, bookId), request),
    snapshot: async (tenant: TenantDatabase, bookId: string, levels: string | undefined) =>
      reads.snapshot(tenant, await readable(tenant, bookId), levels),
    trades: async (tenant: TenantDatabase, bookId: string, page: TradesRequest) =>
      reads.trades(tenant, await readable(tenant, bookId), page),
    candles: async (tenant: TenantDatabase, bookId: string, request: CandlesRequest) =>
      reads.candles(tenant, await readable(tenant, bookId), request),
    reference: async (tenant: TenantDatabase, bookId: string) =>
      references.get(await books.requireOffchain(tenant, bookId)),
    setReference: async (tenant: TenantDatabase, caller: Caller, bookId: string, price: string) =>
      references.set(tenant, caller, await books.requireOffchain(tenant, bookId), price),
  }
}

export type OffchainBooksService = ReturnType<typeof createOffchainBooksService>
