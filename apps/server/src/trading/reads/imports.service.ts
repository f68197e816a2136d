import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import type { BookClass } from '../books/index.rules.ts'
import { bookStore as store } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import { nameUnit, rewritePeers } from '../unit/index.ts'

const asImport = (row: store.ImportRow) => ({
  id: row.importId,
  instanceId: row.instanceId,
  orderBookId: row.bookId,
  active: row.active,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export function createImportsService({ clock, random }: TradingParts) {
  return {
    async listImportable(tenant: TenantDatabase, bookClass: BookClass) {
      const rows = await tenant.read((sql) => store.listImportable(sql, tenant.instanceId, bookClass))
      return rows.map((row) => ({
        id: row.bookId,
        tokenAddress: row.tokenAddress,
        quoteTokenAddress: row.quoteTokenAddress,
        name: row.name,
        symbol: row.symbol,
        tokenType: row.tokenType,
        custodyContract: row.custodyContract,
        minOrderSize: row.minOrderSize.toString(),
        maxOrderSize: row.maxOrderSize?.toString() ?? null,
        tickSize: row.tickSize.toString(),
        makerFeeBps: row.makerFeeBps,
        takerFeeBps: row.takerFeeBps,
        createdAt: row.createdAt.toISOString(),
      }))
    },

    /** A book that its owner does not offer is not found: it is nobody's business that it exists. */
    async add(tenant: TenantDatabase, instance: Instance, bookClass: BookClass, bookId: string) {
      const { instanceId } = tenant
      const now = clock.now()
      const row = await tenant.transaction(async (sql) => {
        const [book] = isUuid(bookId) ? await store.findOffered(sql, bookId) : []
        if (!book) throw new AppError('ORDER_BOOK_NOT_FOUND')
        if (book.instanceId === instanceId) throw new AppError('IMPORT_OWN')
        if (book.class !== bookClass) throw new AppError('IMPORT_TYPE_MISMATCH')
        if (Number(book.chainId) !== instance.chainId) throw new AppError('NETWORK_MISMATCH')
        const [made] = await store.insertImport(sql, instanceId, { importId: newId(clock, random), bookId, now })
        if (!made) throw new AppError('ALREADY_IMPORTED')
        await nameUnit(sql, book.unitId)
        for (const statement of rewritePeers(sql, book.unitId, now)) await statement
        await sql`select set_config('role', 'tally_api', true)`
        return made
      })
      return asImport(row)
    },

    async remove(tenant: TenantDatabase, bookClass: BookClass, importId: string) {
      const now = clock.now()
      const row = await tenant.transaction(async (sql) => {
        if (!isUuid(importId)) return undefined
        const [book] = await store.findImported(sql, tenant.instanceId, importId)
        const [ended] = await store.endImport(sql, tenant.instanceId, importId, bookClass, now)
        if (!book || !ended) return undefined
        await nameUnit(sql, book.unitId)
        for (const statement of rewritePeers(sql, book.unitId, now)) await statement
        await sql`select set_config('role', 'tally_api', true)`
        return ended
      })
      if (!row) throw new AppError('IMPORT_NOT_FOUND')
      return asImport(row)
    },
  }
}

export type ImportsService = ReturnType<typeof createImportsService>
