import { asCursor, type PageRequest, pageOf, readCursor } from '../../platform/page.ts'
import { PAGE } from '../page-bounds.ts'
import type { TradesPage, TradeView } from './tape.store.ts'
import { asTrade } from './trade.rules.ts'

const CURSOR = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface TradesRequest extends PageRequest {
  readonly cursor?: string | undefined
}

/** Which trades of a list are asked for. */
export function tradesPage({ cursor, ...page }: TradesRequest): TradesPage {
  const [after = null] = readCursor(cursor, CURSOR) ?? []
  return { ...pageOf(page, PAGE), after }
}

/** As a page of them is answered. */
export function shownTrades(rows: readonly TradeView[], total: number, { limit, offset }: TradesPage) {
  const last = rows.at(-1)
  const nextCursor = last && rows.length === limit ? asCursor([last.tradeId]) : null
  return { trades: rows.map(asTrade), total, limit, offset, nextCursor }
}
