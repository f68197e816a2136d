import type { QuoteRecord, RfqWithoutQuotesRecord } from '@tallystick/wire'
import type { Database, TenantDatabase } from '../../platform/db/database.ts'
import { readNotices } from './notices.store.ts'

/** On which it is said that an instance has news; the word is its id. */
export const RFQ_CHANNEL = 'tally_rfq'

const PAGE = 100

/** What happened to a request or to one of its quotes, numbered without gaps within the instance. */
export interface RfqNotice {
  readonly id: string
  readonly kind: 'RFQ' | 'QUOTE'
  readonly rfqId: string
  readonly quoteId: string | null
  readonly status: string
  /** The request without its quotes, or the quote, as it was then. */
  readonly record: RfqWithoutQuotesRecord | QuoteRecord
  readonly createdAt: string
}

export function createNotices({ signals }: Pick<Database, 'signals'>) {
  return {
    /** Says that there is news; after the commit, never inside of it. */
    announce: (instanceId: string): void => signals.send(RFQ_CHANNEL, instanceId),

    /** The next ones, oldest first, at most 100; `after` 0 begins at the first. */
    async eventsAfter(tenant: TenantDatabase, after: bigint): Promise<RfqNotice[]> {
      const rows = await tenant.read((sql) => readNotices(sql, tenant.instanceId, after, PAGE))
      return rows.map(({ number, rfqId, quoteId, status, record, createdAt }) => ({
        id: number.toString(),
        kind: quoteId === null ? 'RFQ' : 'QUOTE',
        rfqId,
        quoteId,
        status,
        record: JSON.parse(record) as RfqNotice['record'],
        createdAt: createdAt.toISOString(),
      }))
    },
  }
}

export type Notices = ReturnType<typeof createNotices>
