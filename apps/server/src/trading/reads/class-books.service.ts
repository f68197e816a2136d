import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { asOrderBook, classOf } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import type { CandlesRequest } from './candles-page.ts'
import type { Range } from './daily.rules.ts'
import type { ImportsService } from './imports.service.ts'
import type { ReadsService } from './reads.service.ts'
import type { TradesRequest } from './trades-page.ts'

/** What the three classes share: `mountedAt` says which of them was asked. */
export function createClassBooksService(parts: {
  readonly books: BooksService
  readonly reads: ReadsService
  readonly imports: ImportsService
}) {
  const { books, reads, imports } = parts
  const required = (tenant: TenantDatabase, mountedAt: string, bookId: string) =>
    books.require(tenant, bookId, classOf(mountedAt))

  return {
    list(tenant: TenantDatabase, mountedAt: string, status: string | undefined) {
      const bookClass = classOf(mountedAt)
      return books.list(tenant, {
        class: bookClass,
        status,
        tokenType: bookClass === 'stocks' ? 'STOCK_TOKEN' : undefined,
      })
    },
    get: async (tenant: TenantDatabase, mountedAt: string, bookId: string) =>
      asOrderBook(await required(tenant, mountedAt, bookId)),
    snapshot: async (tenant: TenantDatabase, mountedAt: string, bookId: string, levels: string | undefined) =>
      reads.snapshot(tenant, await required(tenant, mountedAt, bookId), levels),
    trades: async (tenant: TenantDatabase, mountedAt: string, bookId: string, page: TradesRequest) =>
      reads.trades(tenant, await required(tenant, mountedAt, bookId), page),
    candles: async (tenant: TenantDatabase, mountedAt: string, bookId: string, request: CandlesRequest) =>
      reads.candles(tenant, await required(tenant, mountedAt, bookId), request),
    stats: async (tenant: TenantDatabase, mountedAt: string, bookId: string) =>
      reads.stats(tenant, await required(tenant, mountedAt, bookId)),
    peers: async (tenant: TenantDatabase, mountedAt: string, bookId: string) =>
      reads.peers(tenant, await required(tenant, mountedAt, bookId)),
    daily: (tenant: TenantDatabase, mountedAt: string, tokenAddress: string, range: Range | undefined) =>
      reads.daily(tenant, classOf(mountedAt), tokenAddress, range ?? '1M'),
    importable: (tenant: TenantDatabase, mountedAt: string) => imports.listImportable(tenant, classOf(mountedAt)),
    import: (tenant: TenantDatabase, instance: Instance, mountedAt: string, bookId: string) =>
      imports.add(tenant, instance, classOf(mountedAt), bookId),
    removeImport: (tenant: TenantDatabase, mountedAt: string, importId: string) =>
      imports.remove(tenant, classOf(mountedAt), importId),
  }
}

export type ClassBooksService = ReturnType<typeof createClassBooksService>
