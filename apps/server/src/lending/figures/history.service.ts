import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { MarketRecord } from '../core/index.rules.ts'
import { findMarket, type MarketCall } from '../core/index.ts'
import { asInstant } from '../oracle/index.rules.ts'
import type { LendingParts } from '../parts.ts'
import {
  bucketSeconds,
  bucketsOf,
  type HistoryRange,
  type HistoryResolution,
  historyPoints,
  sumFlows,
  usualResolution,
  volumesOf,
} from './history.rules.ts'
import * as store from './history.store.ts'

type HistoryQuery = QueryOf<typeof lendingOperations.getHistory>

const rateModes = ['CURVE', 'CLAMPED', 'FIXED'] as const
const FIXED = 2

const messages = {
  NO_MARKET_ADDRESS: 'This market is not deployed yet, so there is no history.',
  AWAITING_FIRST_SNAPSHOT: 'The market has emitted no snapshot yet. Anybody may call pokeSnapshot on it.',
} as const

function emptyHistory(
  record: MarketRecord,
  asked: { readonly range: HistoryRange; readonly resolution: HistoryResolution },
  reason: keyof typeof messages | null,
) {
  return {
    available: reason !== 'NO_MARKET_ADDRESS',
    indexed: reason === null,
    reason,
    message: reason && messages[reason],
    ...asked,
    borrowAsset: record.borrowAsset,
    borrowAssetDecimals: record.market?.borrowDecimals ?? null,
    collateralToken: record.collateralToken,
    collateralDecimals: record.market?.collateralDecimals ?? null,
    snapshotCount: 0,
    firstIndexedAt: null,
    lastIndexedAt: null,
    truncated: false,
    rateMode: null,
    fixedStampRateBps: null,
    supplyRateBasis: null,
    points: [],
    totals: null,
  }
}

/** A market's past, from the snapshots and the flows of our record of its events. */
export function createHistory({ chains }: LendingParts) {
  return async function get(call: MarketCall, marketId: string, query: HistoryQuery) {
    const { tenant } = call
    const record = await findMarket(call, marketId)
    const { market } = record
    const { range = '30d' } = query
    const { resolution = usualResolution(range) } = query
    const asked = { range, resolution }
    if (!market) return { data: emptyHistory(record, asked, 'NO_MARKET_ADDRESS') }
    const { chainId, address } = market
    const [[summary], { block, results }] = await Promise.all([
      tenant.read((sql) => store.summarizeSnapshots(sql, chainId, address)),
      chains
        .get(chainId)
        .read([
          contractRead(market.rateModel, abis.rateModel, 'offer', []),
          contractRead(address, abis.market, 'config', []),
        ]),
    ])
    const [offer, config] = results
    if (!offer.ok || !config.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const rates = {
      rateMode: rateModes[offer.value.mode] ?? 'CURVE',
      fixedStampRateBps: String(offer.value.fixedBps),
      supplyRateBasis: offer.value.mode === FIXED ? ('FIXED_STAMP' as const) : ('BORROW_RATE' as const),
    }
    if (!summary || summary.firstTime === null || summary.lastTime === null)
      return { data: { ...emptyHistory(record, asked, 'AWAITING_FIRST_SNAPSHOT'), ...rates }, block }

    const size = bucketSeconds[resolution]
    const { first, last, truncated } = bucketsOf(range, size, block.time, Number(summary.firstTime))
    const span = { chainId, market: address, size, from: first * size }
    const [snapshots, [before], flows] = await Promise.all([
      tenant.read((sql) => store.listSnapshots(sql, span)),
      tenant.read((sql) => store.findSnapshotBefore(sql, span)),
      tenant.read((sql) => store.listFlows(sql, span)),
    ])
    const scale = { market, offer: offer.value, protocolFeeBps: config.value.protocolFeeBps }
    const shown = flows.filter(({ bucket }) => bucket <= BigInt(last))
    const data = {
      ...emptyHistory(record, asked, null),
      ...rates,
      snapshotCount: summary.count,
      firstIndexedAt: asInstant(summary.firstTime),
      lastIndexedAt: asInstant(summary.lastTime),
      truncated,
      points: historyPoints({ first, last, size, before: before?.effect, snapshots, flows: shown }, scale),
      totals: volumesOf(sumFlows(shown), scale),
    }
    return { data, block }
  }
}

export type GetHistory = ReturnType<typeof createHistory>
