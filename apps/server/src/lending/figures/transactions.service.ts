import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { eventId } from '../../platform/ids.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import { eventSelectors } from './event-selectors.ts'
import { contractsOf, type LineKind, lineKinds } from './transactions.rules.ts'
import { type Line, listLines } from './transactions.store.ts'

type ListQuery = QueryOf<typeof lendingOperations.listMarketTransactions>

/** How far `offset` reaches back. */
const WINDOW = 2000
/** Block, place in the block, and kind of the last line. */
const CURSOR = /^\d{1,30} \d{1,9} \d{1,4}$/
/** Ahead of everything. */
const START = ['9'.repeat(30), '999999999', '9999'] as const

const cursorAt = ({ blockNumber, blockLogIndex, kind }: Line): string =>
  asCursor([blockNumber, String(blockLogIndex), String(kind)])

function shownLine(market: Market, marketId: string, kinds: readonly LineKind[], line: Line) {
  const kind = kinds[line.kind]
  if (!kind) throw new Error('a line of no kind')
  const decimals = { asset: market.borrowDecimals, collateral: market.collateralDecimals, none: 0 }
  return {
    id: eventId(market.chainId, line.txHash, line.logIndex, kind.txType),
    marketId,
    positionId: line.loanId,
    txType: kind.txType,
    userAddress: line.account,
    amount: formatUnits(BigInt(line.amount), decimals[kind.unit]),
    txHash: line.txHash,
    timestamp: new Date(line.blockTime * 1000).toISOString(),
    recordedByThisInstance: line.recorded,
  }
}

/** Everything that happened on the contracts of a market, whoever did it and whoever recorded it. */
export function createTransactions() {
  return async function list(call: MarketCall, marketId: string, query: ListQuery) {
    const { tenant } = call
    const { market } = await findDeployedMarket(call, marketId)
    const { limit, offset } = pageOf(query, { fallback: 50, most: 200 })
    const [blockNumber = '', blockLogIndex = '', kind = ''] = readCursor(query.cursor, CURSOR) ?? START
    const kinds = lineKinds(market)
    const [lines] = await tenant.read((sql) =>
      listLines(sql, {
        instanceId: tenant.instanceId,
        chainId: market.chainId,
        market: market.address,
        contracts: contractsOf(market),
        kinds,
        selectors: eventSelectors(kinds),
        window: WINDOW,
        // Past the window only the cursor leads on.
        limit: Math.max(Math.min(limit, WINDOW - offset), 0),
        offset: Math.min(offset, WINDOW),
        after: { blockNumber, blockLogIndex, kind },
      }),
    )
    const { found, page } = lines ?? { found: 0, page: [] }
    const total = Math.min(found, WINDOW)
    const shown = offset + page.length
    const last = page.at(-1)
    const data = {
      transactions: page.map((line) => shownLine(market, marketId, kinds, line)),
      total,
      hasMore: shown < total,
      limit,
      offset,
      nextCursor: last && shown < found ? cursorAt(last) : null,
    }
    return { data }
  }
}

export type ListTransactions = ReturnType<typeof createTransactions>
