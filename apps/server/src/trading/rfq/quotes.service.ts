import { type Amount, exact, type Rfq, type Side, submitQuote, withdrawQuote } from '@tallystick/engine'
import type { QuoteRecord } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import type { Notices } from './notices.service.ts'
import type { RfqParts } from './parts.ts'
import { asQuoteRecord, asRfq, type StoredRfq } from './rfq.rules.ts'
import type { QuoteRow } from './rfq.store.ts'
import { findRfq, holdRfq, writeStep } from './rfq-rows.ts'
import { requireOutliving } from './signing.ts'
import { freedBy, requireStep } from './steps.ts'

export interface NewQuote {
  readonly lpAddress: string
  readonly price: string
  readonly validUntil?: string
  readonly expiry: number | string
  readonly nonce: string
  readonly salt: string
  readonly signature: string
}

export const opposite = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')

/** What a provider does. */
export function createQuotes({ clock, random, agreed, notices }: RfqParts & { readonly notices: Notices }) {
  async function requireProvider(tenant: TenantDatabase, provider: string, bookId: string): Promise<string> {
    const account = await agreed.findAccount(tenant, provider)
    if (!account?.canQuote) throw new AppError('MM_REQUIRED')
    const isPermitted = account.permittedBooks?.includes(bookId) ?? true
    if (account.status !== 'ACTIVE' || !isPermitted) throw new AppError('MM_CONFIG_VIOLATION')
    return account.accountId
  }

  function step(rfq: Rfq, quote: { id: string; provider: string; price: Amount; validUntil?: string }, at: Date) {
    const { validUntil, ...rest } = quote
    const until = validUntil === undefined ? {} : { validUntil: Date.parse(validUntil) }
    return requireStep(submitQuote(rfq, { ...rest, ...until, at: at.getTime() }))
  }

  const quoteIn = ({ row, quotes }: StoredRfq, quoteId: string): QuoteRecord => {
    const found = quotes.find((quote) => quote.quoteId === quoteId)
    if (!found) throw new Error(`${row.rfqId} lost its quote ${quoteId}`)
    return asQuoteRecord(found, row.rfqId)
  }

  return {
    async submit(tenant: TenantDatabase, id: string, request: NewQuote): Promise<QuoteRecord> {
      const provider = requireAddressField('lpAddress', request.lpAddress)
      const seen = await findRfq(tenant, id)
      const { row } = seen
      const accountId = await requireProvider(tenant, provider, row.bookId)
      const quoteId = newId(clock, random)
      const price = exact(BigInt(request.price))
      const { validUntil } = request
      const quote = { id: quoteId, provider, price, ...(validUntil === undefined ? {} : { validUntil }) }
      // Most of what can be wrong shows before anybody asks the chain.
      step(asRfq(seen), quote, seen.readAt)
      const book = await agreed.bookOf(tenant, row.bookId)
      agreed.requireInBand(book, price, seen.readAt)
      const terms = { trader: provider, side: opposite(row.side), quantity: exact(row.baseAmount), price }
      const order = agreed.agreedOrder(book, terms, request)
      requireOutliving(request.expiry, row.expiresAt)
      const signature = loweredHex(request.signature)
      const { backing } = await agreed.examine(book, { ...order, signature })

      const after = await tenant.transaction(async (sql) => {
        const before = await holdRfq(sql, tenant.instanceId, id)
        const taken = step(asRfq(before), quote, before.readAt)
        const validated = taken.rfq.quotes.find((one) => one.id === quoteId)
        if (!validated) throw new Error('a quote that was taken is not there')
        await agreed.hold(
          sql,
          book,
          { ...order, orderId: quoteId, signature, backing },
          freedBy(before, taken),
          before.readAt,
        )
        const added: QuoteRow = {
          quoteId,
          number: before.quotes.length + 1,
          provider,
          accountId,
          price: BigInt(price),
          validUntil: new Date(validated.validUntil),
          lockId: quoteId,
          lockToken: order.hold.tokenAddress,
          lockAmount: BigInt(order.hold.amount),
          status: validated.status,
          createdAt: before.readAt,
          updatedAt: before.readAt,
        }
        return writeStep(sql, before, taken, added)
      })
      await tenant.onceCommitted(async () => notices.announce(tenant.instanceId))
      return quoteIn(after, quoteId)
    },

    async withdraw(tenant: TenantDatabase, id: string, quoteId: string, lpAddress: string): Promise<QuoteRecord> {
      const provider = requireAddressField('lpAddress', lpAddress)
      const after = await tenant.transaction(async (sql) => {
        const before = await holdRfq(sql, tenant.instanceId, id)
        const { row, readAt } = before
        const taken = requireStep(withdrawQuote(asRfq(before), quoteId, provider, readAt.getTime()))
        const place = { chainId: Number(row.chainId), custody: row.custodyContract }
        await agreed.free(sql, place, freedBy(before, taken), readAt)
        return writeStep(sql, before, taken)
      })
      await tenant.onceCommitted(async () => notices.announce(tenant.instanceId))
      return quoteIn(after, quoteId)
    },
  }
}
