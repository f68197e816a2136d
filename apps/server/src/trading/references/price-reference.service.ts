import { parseUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { newId } from '../../platform/ids.ts'
import { type PageRequest, pageOf } from '../../platform/page.ts'
import { asDecimal, type BookRow, bandOf, DECIMALS, MAX_UNITS } from '../books/index.rules.ts'
import { PAGE } from '../page-bounds.ts'
import type { TradingParts } from '../parts.ts'
import { applyReference } from './apply-reference.ts'
import * as store from './feeds.store.ts'

export function createPriceReferenceService({ clock, random, units }: TradingParts) {
  return {
    get(row: BookRow) {
      const price = row.priceRefEnabled ? row.priceRefLastPrice : null
      const band = bandOf(price, row.priceRefSpreadBps)
      return {
        enabled: row.priceRefEnabled,
        mode: row.priceRefMode,
        enforcement: row.priceRefEnforcement,
        spreadBps: row.priceRefSpreadBps,
        haltOnStale: row.priceRefHaltOnStale,
        staleTolerance: row.priceRefStaleTolerance,
        currentPrice: price === null ? null : asDecimal(price),
        lowerBound: band && asDecimal(band.lower),
        upperBound: band && asDecimal(band.upper),
        lastUpdated: row.priceRefEnabled ? (row.priceRefLastUpdated?.toISOString() ?? null) : null,
        feedError: row.importId ? null : row.priceRefError,
      }
    },

    /** Owner only. The new band sweeps what rests outside of it, in the same commit. */
    async set(tenant: TenantDatabase, caller: Caller, row: BookRow, text: string) {
      if (row.instanceId !== tenant.instanceId) throw new AppError('ORDER_BOOK_NOT_FOUND')
      if (!row.priceRefEnabled || row.priceRefMode !== 'MANUAL') throw new AppError('PRICE_REF_DISABLED')
      const price = parseUnits(text, DECIMALS)
      if (price === null || price === 0n || price > MAX_UNITS) throw new AppError('INVALID_PRICE')
      const updatedAt = await units.submit(tenant, row.unitId, {
        grant: caller.grant,
        looks: { instanceId: row.instanceId, holders: [], clientOrderIds: [] },
        perform(turn) {
          const book = turn.book(row.bookId)
          if (!book?.priceRefEnabled) throw new AppError('PRICE_REF_DISABLED')
          applyReference(turn, book, price, 'MANUAL', () => newId(clock, random))
          return turn.at
        },
      })
      return { price: asDecimal(price), updatedAt: updatedAt.toISOString() }
    },

    async history(tenant: TenantDatabase, { bookId }: BookRow, query: PageRequest) {
      const page = pageOf(query, PAGE)
      const [logs, [counted]] = await Promise.all([
        tenant.read((sql) => store.listLogs(sql, tenant.instanceId, bookId, page)),
        tenant.read((sql) => store.countLogs(sql, tenant.instanceId, bookId)),
      ])
      return {
        logs: logs.map((log) => ({
          id: log.logId,
          orderBookId: log.bookId,
          instanceId: log.instanceId,
          price: asDecimal(log.price),
          source: log.source,
          enforcementUsed: log.enforcement,
          createdAt: log.createdAt.toISOString(),
        })),
        total: counted?.total ?? 0,
        ...page,
      }
    },
  }
}

export type PriceReferenceService = ReturnType<typeof createPriceReferenceService>
