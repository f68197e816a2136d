import { exact } from '@tallystick/engine'
import { parseUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { newId } from '../../platform/ids.ts'
import type { OrderbookParts } from '../parts.ts'
import { asDecimal, bandOf, DECIMALS, MAX_UNITS } from './book.rules.ts'
import type { BookRow } from './books.service.ts'

export function createPriceReferenceService({ clock, random, units }: OrderbookParts) {
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
      }
    },

    /** Owner only. The new band sweeps what rests outside of it, in the same commit. */
    async set(tenant: TenantDatabase, caller: Caller, row: BookRow, text: string) {
      if (row.instanceId !== tenant.instanceId) throw new AppError('ORDER_BOOK_NOT_FOUND')
      if (!row.priceRefEnabled || row.priceRefMode !== 'MANUAL') throw new AppError('PRICE_REF_DISABLED')
      const price = parseUnits(text, DECIMALS)
      if (price === null || price === 0n || price > MAX_UNITS) throw new AppError('INVALID_PRICE')
      const { bookId, instanceId, priceRefSpreadBps: spreadBps, priceRefCircuitBreakerBps: breakerBps } = row
      const now = clock.now()
      const logId = newId(clock, random)
      await units.submit(tenant, row.unitId, {
        grant: caller.grant,
        looks: { instanceId, holders: [], clientOrderIds: [] },
        perform(turn) {
          turn.execute({
            kind: 'setReference',
            at: 0,
            book: bookId,
            price: exact(price),
            ...(spreadBps === null ? {} : { spreadBps }),
            ...(breakerBps === null ? {} : { circuitBreakerBps: breakerBps }),
          })
          turn.changeBook(bookId, { price_ref_last_price: price.toString(), price_ref_last_updated: now })
          turn.logPrice({ instanceId, logId, bookId, price, source: 'MANUAL', enforcement: row.priceRefEnforcement })
        },
      })
      return { price: asDecimal(price), updatedAt: now.toISOString() }
    },
  }
}

export type PriceReferenceService = ReturnType<typeof createPriceReferenceService>
