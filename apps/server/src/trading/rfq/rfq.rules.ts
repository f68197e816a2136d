import { exact, type Quote, type Rfq, type RfqStep } from '@tallystick/engine'
import type { QuoteRecord, RfqRecord, RfqWithoutQuotesRecord } from '@tallystick/wire'
import type { JoinedRow, QuoteRow, RfqRow } from './rfq.store.ts'

/** A request with its quotes as they are stored, and the moment they were read. */
export interface StoredRfq {
  readonly row: RfqRow
  readonly quotes: readonly QuoteRow[]
  readonly readAt: Date
}

export function asStored(rows: readonly JoinedRow[]): StoredRfq[] {
  const found = new Map<string, { row: RfqRow; quotes: QuoteRow[]; readAt: Date }>()
  for (const joined of rows) {
    const known = found.get(joined.rfqId) ?? { row: joined, quotes: [], readAt: joined.readAt }
    found.set(joined.rfqId, known)
    if (joined['quote.quoteId'] === null) continue
    known.quotes.push({
      quoteId: joined['quote.quoteId'],
      number: joined['quote.number'],
      provider: joined['quote.provider'],
      accountId: joined['quote.accountId'],
      price: joined['quote.price'],
      validUntil: joined['quote.validUntil'],
      lockId: joined['quote.lockId'],
      lockToken: joined['quote.lockToken'],
      lockAmount: joined['quote.lockAmount'],
      status: joined['quote.status'],
      createdAt: joined['quote.createdAt'],
      updatedAt: joined['quote.updatedAt'],
    })
  }
  return [...found.values()]
}

const asQuote = (row: QuoteRow): Quote => ({
  id: row.quoteId,
  provider: row.provider,
  price: exact(row.price),
  validUntil: row.validUntil.getTime(),
  status: row.status,
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
})

/** For the state machine, which knows nothing of rows. */
export const asRfq = ({ row, quotes }: StoredRfq): Rfq => ({
  id: row.rfqId,
  requester: row.requester,
  side: row.side,
  baseAmount: exact(row.baseAmount),
  status: row.status,
  expiresAt: row.expiresAt.getTime(),
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
  quotes: quotes.map(asQuote),
})

/** What became of the rows; `added` is a quote that had none yet. */
export function afterStep({ row, quotes, readAt }: StoredRfq, { rfq }: RfqStep, added?: QuoteRow): StoredRfq {
  const known = new Map([...quotes, ...(added ? [added] : [])].map((quote) => [quote.quoteId, quote]))
  return {
    row: { ...row, status: rfq.status, updatedAt: new Date(rfq.updatedAt) },
    quotes: rfq.quotes.flatMap(({ id, status, updatedAt }) => {
      const quote = known.get(id)
      return quote ? [{ ...quote, status, updatedAt: new Date(updatedAt) }] : []
    }),
    readAt,
  }
}

export const asQuoteRecord = (row: QuoteRow, rfqId: string): QuoteRecord => ({
  id: row.quoteId,
  quoteRequestId: rfqId,
  lpAddress: row.provider,
  lpAccountId: row.accountId,
  price: row.price.toString(),
  validUntil: row.validUntil.toISOString(),
  lockId: row.lockId,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const withoutQuotes = (row: RfqRow): RfqWithoutQuotesRecord => ({
  id: row.rfqId,
  instanceId: row.instanceId,
  requesterAddress: row.requester,
  baseToken: row.baseToken,
  quoteToken: row.quoteToken,
  custodyContract: row.custodyContract,
  side: row.side,
  baseAmount: row.baseAmount.toString(),
  status: row.status,
  expiresAt: row.expiresAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const asRfqRecord = ({ row, quotes }: StoredRfq): RfqRecord => ({
  ...withoutQuotes(row),
  quotes: quotes.map((quote) => asQuoteRecord(quote, row.rfqId)),
})
