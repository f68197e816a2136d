import { expireRfq, type RfqStep } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import type { Sql, TenantDatabase } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { appendNotices, type NewNotice } from './notices.store.ts'
import { afterStep, asQuoteRecord, asRfq, asStored, type StoredRfq, withoutQuotes } from './rfq.rules.ts'
import * as store from './rfq.store.ts'

/** As it is stored, whatever time has done since. */
export async function findRfq(tenant: TenantDatabase, id: string): Promise<StoredRfq> {
  const rows = isUuid(id) ? await tenant.read((sql) => store.readRfq(sql, tenant.instanceId, id)) : []
  const [found] = asStored(rows)
  if (!found) throw new AppError('NOT_FOUND')
  return found
}

/** What a reader sees: a deadline that has passed shows, also before it was written down. */
export const seenNow = (stored: StoredRfq): StoredRfq =>
  afterStep(stored, expireRfq(asRfq(stored), stored.readAt.getTime()))

/** For a write: locked, read after the lock, with the time after the lock. */
export async function holdRfq(sql: Sql, instanceId: string, id: string): Promise<StoredRfq> {
  const [locked] = isUuid(id) ? await store.lockRfq(sql, instanceId, id) : []
  const [found] = locked ? asStored(await store.readRfq(sql, instanceId, id)) : []
  if (!found) throw new AppError('NOT_FOUND')
  return found
}

/** Writes down what a step changed, and tells it. */
export async function writeStep(
  sql: Sql,
  before: StoredRfq,
  step: RfqStep,
  added?: store.QuoteRow,
): Promise<StoredRfq> {
  const after = afterStep(before, step, added)
  const { instanceId, rfqId } = after.row
  const statuses = new Map(before.quotes.map(({ quoteId, status }) => [quoteId, status]))
  const changed = after.quotes.filter(({ quoteId, status }) => statuses.get(quoteId) !== status)
  // First what ends: a provider has one active quote.
  for (const quote of changed.filter(({ quoteId }) => statuses.has(quoteId)))
    expectRow('quote', await store.updateQuote(sql, instanceId, quote))
  for (const quote of changed.filter(({ quoteId }) => !statuses.has(quoteId)))
    await store.insertQuote(sql, after.row, quote)
  if (step.events.length > 0) expectRow('request', await store.updateRfq(sql, after.row))
  await appendNotices(sql, instanceId, noticesOf(after, step), new Date(step.rfq.updatedAt))

  function expectRow(what: string, { count }: { count: number }): void {
    if (count !== 1) throw new Error(`${what} of ${rfqId}: ${count} rows instead of one`)
  }
  return after
}

function noticesOf({ row, quotes }: StoredRfq, { events }: RfqStep): NewNotice[] {
  const { rfqId } = row
  return events.flatMap((event): NewNotice[] => {
    if (event.kind === 'rfqChanged') {
      const { status } = event
      return [{ rfqId, quoteId: null, status, record: { ...withoutQuotes(row), status } }]
    }
    const quote = event.kind === 'quoteChanged' ? quotes.find(({ quoteId }) => quoteId === event.quote) : undefined
    return quote ? [{ rfqId, quoteId: quote.quoteId, status: quote.status, record: asQuoteRecord(quote, rfqId) }] : []
  })
}
