import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { type LiveSeizure, liquidationRow, settledRow } from './liquidation-row.rules.ts'
import { countSeizures, listSeizures, type Page, type Seizure, type SeizureTotals } from './seizures.store.ts'

type SettledQuery = QueryOf<typeof lendingOperations.listSettledLiquidations>

const MOST_PENDING = 100
/** Block and place in the block of the last row. */
const CURSOR = /^\d{1,30} \d{1,9}$/
const WRITE_OFF_AFTER = 7 * 86_400
const OPEN = 1
const none: SeizureTotals = { total: 0, pending: 0, settled: 0, writtenOff: 0, auctions: 0, pendingDebt: '0', open: [] }

const placeOf = ({ chainId, address, router }: Market) => ({ chainId, market: address, router })

export async function seizureTotals({ tenant }: MarketCall, market: Market): Promise<SeizureTotals> {
  const [totals = none] = await tenant.read((sql) => countSeizures(sql, placeOf(market)))
  return totals
}

const unread: LiveSeizure = { realization: null, routed: null }

/** The state of some seizures on chain, in one round trip. Null: the chain could not be read. */
async function readLive(chain: Chain, { address, router }: Market, rows: readonly Seizure[]) {
  const routedRows = rows.filter(({ liquidationId }) => liquidationId !== null)
  const read = await chainOrNull(
    readNamed(chain, {
      pool: contractRead(address, abis.market, 'pool', []),
      realizations: rows.map(({ realizationId }) =>
        contractRead(address, abis.market, 'realization', [BigInt(realizationId)]),
      ),
      routed: routedRows.map(({ liquidationId }) =>
        contractRead(router, abis.router, 'liquidation', [BigInt(liquidationId ?? 0)]),
      ),
    }),
  )
  if (!read) return null
  const { pool, realizations, routed } = read.results
  const isComplete = pool.ok && [...realizations, ...routed].every(({ ok }) => ok)
  const live = new Map<string, LiveSeizure>()
  for (const [index, row] of rows.entries()) {
    const realization = realizations[index]
    const place = routedRows.indexOf(row)
    const record = place < 0 ? undefined : routed[place]
    live.set(row.id, {
      realization: realization?.ok ? realization.value : null,
      // A number that the router never gave is answered with nothing but zeros.
      routed: record?.ok && record.value.timestamp !== 0n ? record.value : null,
    })
  }
  return { block: read.block, live, isComplete, counter: pool.ok ? pool.value.realizationCounter : null }
}

/** The seizures of a market: what its events tell, and how they stand now. */
export function createLiquidations({ chains }: LendingParts) {
  async function read(call: MarketCall, market: Market, statuses: readonly Seizure['status'][], page: Page) {
    const { tenant } = call
    const rows = await tenant.read((sql) => listSeizures(sql, tenant.instanceId, placeOf(market), statuses, page))
    const totals = await seizureTotals(call, market)
    const found = await readLive(chains.get(market.chainId), market, rows)
    const counter = found?.counter ?? null
    const shared = {
      liquidationRouterAddress: market.router,
      readFailed: !found?.isComplete,
      unrecorded: counter === null ? null : Math.max(Number(counter) - totals.total, 0),
    }
    const live = (row: Seizure) => found?.live.get(row.id) ?? unread
    return { rows, totals, live, shared, ...(found ? { block: found.block } : {}) }
  }

  return {
    async pending(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const page = { limit: MOST_PENDING, offset: 0 }
      const { rows, totals, live, shared, ...at } = await read(call, market, ['PENDING'], page)
      const pendingLiquidations = rows.map((row) => ({
        ...liquidationRow(market, marketId, row, live(row)),
        status: 'PENDING' as const,
      }))
      return { data: { totalCount: totals.pending, ...shared, pendingLiquidations }, ...at }
    },

    async settled(call: MarketCall, marketId: string, query: SettledQuery) {
      const { market } = await findDeployedMarket(call, marketId)
      const { limit, offset } = pageOf(query, { fallback: 50, most: 200 })
      const [blockNumber, blockLogIndex] = readCursor(query.cursor, CURSOR) ?? []
      const before = blockNumber && blockLogIndex ? { blockNumber, blockLogIndex } : null
      // One more than is shown tells whether there are more.
      const wanted = { limit: limit + 1, offset, before }
      const found = await read(call, market, ['SETTLED', 'WRITTEN_OFF'], wanted)
      const { totals, live, shared, rows: some, ...at } = found
      const rows = some.slice(0, limit)
      const last = rows.at(-1)
      const hasMore = some.length > limit
      const data = {
        totalCount: totals.settled + totals.writtenOff,
        limit,
        offset,
        hasMore,
        nextCursor: last && hasMore ? asCursor([last.blockNumber, String(last.blockLogIndex)]) : null,
        ...shared,
        settledLiquidations: rows.map((row) => settledRow(market, marketId, row, live(row))),
      }
      return { data, ...at }
    },

    async stats(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const totals = await seizureTotals(call, market)
      const { pending, settled, writtenOff, open } = totals
      const found = await chainOrNull(
        readNamed(chains.get(market.chainId), {
          pool: contractRead(market.address, abis.market, 'pool', []),
          realizations: open.map(({ realizationId }) =>
            contractRead(market.address, abis.market, 'realization', [BigInt(realizationId)]),
          ),
        }),
      )
      const claims = found?.results.realizations.map((one) =>
        one.ok ? (one.value.status === OPEN ? one.value.claim : 0n) : null,
      )
      const pool = found?.results.pool
      const isRead = pool?.ok === true && claims?.every((claim) => claim !== null) === true
      const counter = pool?.ok ? Number(pool.value.realizationCounter) : null
      const data = {
        onChain:
          isRead && counter !== null
            ? {
                totalLiquidations: counter,
                pendingLiquidationDebt: formatUnits(
                  (claims ?? []).reduce((sum: bigint, claim) => sum + (claim ?? 0n), 0n),
                  market.borrowDecimals,
                ),
                totalAuctions: totals.auctions,
              }
            : null,
        readFailed: !isRead,
        unrecorded: counter === null ? null : Math.max(counter - totals.total, 0),
        database: {
          pending,
          settled,
          writtenOff,
          stuck: found ? open.filter(({ seizedAt }) => found.block.time > seizedAt + WRITE_OFF_AFTER).length : null,
        },
      }
      return { data, ...(found ? { block: found.block } : {}) }
    },
  }
}

export type Liquidations = ReturnType<typeof createLiquidations>
