import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import { abis } from '../contracts.ts'
import { findDeployedMarket, findMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { attestationFields } from './attestations.service.ts'
import { type AttestationRow, listAttestations } from './attestations.store.ts'
import { asInstant, asPrice } from './oracle.rules.ts'
import { countHistory, listPrices, listPushes, type PushRow } from './oracle.store.ts'

type HistoryQuery = QueryOf<typeof lendingOperations.getOracleHistory>

/** How many prices a chart gets. */
const PRICE_POINTS = 1000
/** Where both lists stand: second and id of the last signed price, block and place of the last pushed one. */
const CURSOR = /^\d{1,15} [0-9a-f-]{36} \d{1,30} \d{1,9}$/
/** Ahead of everything: a list that has shown nothing yet. */
const START = ['999999999999999', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '9'.repeat(30), '999999999'] as const

function nextCursor(place: readonly string[], signed: AttestationRow | undefined, pushed: PushRow | undefined): string {
  const [second = START[0], id = START[1], block = START[2], index = START[3]] = place
  return asCursor([
    ...(signed ? [signed.attestedAt.toString(), signed.id] : [second, id]),
    ...(pushed ? [pushed.blockNumber.toString(), String(pushed.logIndex)] : [block, index]),
  ])
}

/** What was signed and what was pushed, as the record of events has it. */
export function createOracleHistory({ chains }: LendingParts) {
  return {
    async list(call: MarketCall, marketId: string, query: HistoryQuery) {
      const { tenant } = call
      const { market } = await findDeployedMarket(call, marketId)
      const { chainId, oracle } = market
      const { limit, offset } = pageOf(query, { fallback: 20, most: 100 })
      const place = readCursor(query.cursor, CURSOR) ?? START
      const [attestedAt = '', id = '', blockNumber = '', logIndex = ''] = place
      // One more than asked for tells whether there is more.
      const page = { limit: limit + 1, offset }
      const [signed, pushed, [counted]] = await Promise.all([
        tenant.read((sql) => listAttestations(sql, chainId, oracle, { ...page, after: { attestedAt, id } })),
        tenant.read((sql) => listPushes(sql, chainId, oracle, { ...page, after: { blockNumber, logIndex } })),
        tenant.read((sql) => countHistory(sql, chainId, oracle)),
      ])
      const hasMore = signed.length > limit || pushed.length > limit
      const shown = { signed: signed.slice(0, limit), pushed: pushed.slice(0, limit) }
      const data = {
        signed: shown.signed.map((row) => ({
          ...attestationFields(row),
          price: asPrice(row.price, market),
          priceWei: row.price.toString(),
        })),
        pushed: shown.pushed.map((row) => ({
          id: row.id,
          price: asPrice(BigInt(row.price), market),
          priceWei: row.price,
          previousPrice: row.previousPrice === '0' ? null : asPrice(BigInt(row.previousPrice), market),
          updater: row.updater,
          txHash: row.txHash,
          blockNumber: row.blockNumber.toString(),
          pushedAt: asInstant(row.blockTime),
        })),
        signedTotal: counted?.signed ?? 0,
        pushedTotal: counted?.pushed ?? 0,
        limit,
        offset,
        nextCursor: hasMore ? nextCursor(place, shown.signed.at(-1), shown.pushed.at(-1)) : null,
        syncedBlock: counted?.syncedBlock?.toString() ?? null,
        settlementSymbol: market.borrowSymbol,
      }
      return { data }
    },

    async prices(call: MarketCall, marketId: string) {
      const { market } = await findMarket(call, marketId)
      if (!market)
        throw new AppError('MARKET_NOT_FOUND', { detail: 'This market is not deployed yet: it has no price.' })
      const { chainId, oracle } = market
      const [points, read] = await Promise.all([
        call.tenant.read((sql) => listPrices(sql, chainId, oracle, PRICE_POINTS)),
        chains.get(chainId).read([contractRead(oracle, abis.oracle, 'price', [])]),
      ])
      const [current] = read.results
      if (!current.ok) throw new AppError('PRICE_HISTORY_UNAVAILABLE')
      const asNumber = (raw: bigint) => Number(asPrice(raw, market))
      const data = {
        currentPrice: asNumber(current.value),
        history: points.map(({ price, second }) => ({
          timestamp: Number(second) * 1000,
          price: asNumber(BigInt(price)),
        })),
        symbol: market.collateralSymbol,
        marketId,
      }
      return { data, block: read.block }
    },
  }
}

export type OracleHistory = ReturnType<typeof createOracleHistory>
