import { emptyHead, exact } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import type { Sql, TenantDatabase } from '../../platform/db/database.ts'
import type { BookRow } from '../books/index.rules.ts'
import { rulesOf } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import { insertUnit, lockUnit, nameUnit } from '../unit/index.ts'
import { endImports, isInFlight, moveOffChain } from './off-chain.store.ts'

const refuse = (detail: string) => new AppError('INVALID_CONFIG', { detail })
const actAsTenant = (sql: Sql) => sql`select set_config('role', 'tally_api', true)`

/** Takes a stock book off the chain: out of the unit of its class, into one of its own that the ledger backs. */
export function createOffChainMove({ clock, units }: TradingParts) {
  const leave = (sql: Sql, row: BookRow) =>
    units.runInside(sql, row.unitId, {
      grant: null,
      looks: { instanceId: row.instanceId, holders: [], clientOrderIds: [] },
      perform(turn) {
        turn.execute({ kind: 'updateBook', at: 0, book: row.bookId, rules: rulesOf(row), status: 'CLOSED' })
      },
    })

  const arrive = (sql: Sql, row: BookRow) =>
    units.runInside(sql, row.bookId, {
      grant: null,
      looks: { instanceId: row.instanceId, holders: [], clientOrderIds: [] },
      perform(turn) {
        const { bookId: book, instanceId: instance, tokenAddress: base, quoteTokenAddress: quote } = row
        const rules = rulesOf({ ...row, baseDecimals: null })
        turn.execute({ kind: 'openBook', at: 0, book, instance, base, quote, rules, staged: false, pooled: false })
        if (row.status !== 'ACTIVE') turn.execute({ kind: 'updateBook', at: 0, book, rules, status: row.status })
        if (row.priceRefEnabled && row.priceRefLastPrice !== null) {
          const spread = row.priceRefSpreadBps === null ? {} : { spreadBps: row.priceRefSpreadBps }
          turn.execute({ kind: 'setReference', at: 0, book, price: exact(row.priceRefLastPrice), ...spread })
        }
      },
    })

  return async (tenant: TenantDatabase, row: BookRow): Promise<void> => {
    if (row.tradingMode !== 'CONTINUOUS') throw refuse('Set tradingMode to CONTINUOUS first.')
    if (row.allowSharedLiquidity) throw refuse('Leave the pool first: set allowSharedLiquidity to false.')
    const now = clock.now()
    await tenant.transaction(async (sql) => {
      await nameUnit(sql, row.unitId)
      // From here on nothing is placed, matched or settled in the unit.
      await lockUnit(sql, row.unitId)
      const [found] = await isInFlight(sql, row.bookId)
      if (found?.isInFlight) throw refuse('Orders rest or trades wait for settlement: nothing may be in flight.')
      await endImports(sql, row.bookId, now)
      await actAsTenant(sql)
      await leave(sql, row)
      await moveOffChain(sql, tenant.instanceId, row, now)
      await nameUnit(sql, row.bookId)
      await insertUnit(sql, row.bookId, emptyHead(row.bookId).hash, now)
      await actAsTenant(sql)
      await arrive(sql, row)
    })
  }
}
