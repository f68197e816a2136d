import type { TenantDatabase } from '../../platform/db/database.ts'
import { asCursor, type PageRequest, pageOf, readCursor } from '../../platform/page.ts'
import { PAGE } from '../page-bounds.ts'
import type { TradesList, TradesPage } from './tape.store.ts'
import { asTrade } from './trade.rules.ts'

const CURSOR = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface TradesRequest extends PageRequest {
  readonly cursor?: string | undefined
}

function pageAskedFor({ cursor, ...page }: TradesRequest): TradesPage {
  const [after = null] = readCursor(cursor, CURSOR) ?? []
  return { ...pageOf(page, PAGE), after }
}

/** A page of a list: the rows, and how they are answered. */
export async function readTrades(tenant: TenantDatabase, request: TradesRequest, list: TradesList) {
  const page = pageAskedFor(request)
  const [rows, [counted]] = await Promise.all([tenant.read(list.page(page)), tenant.read(list.count)])
  const { limit, offset } = page
  const last = rows.at(-1)
  const nextCursor = last && rows.length === limit ? asCursor([last.tradeId]) : null
  return { rows, shown: { trades: rows.map(asTrade), total: counted?.total ?? 0, limit, offset, nextCursor } }
}
