import { acceptQuote, exact } from '@tallystick/engine'
import type { AcceptanceRecord } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import { asAcceptance } from './acceptance.rules.ts'
import type { Notices } from './notices.service.ts'
import type { RfqParts } from './parts.ts'
import { asRfq, type StoredRfq } from './rfq.rules.ts'
import type { QuoteRow } from './rfq.store.ts'
import { findRfq, holdRfq, writeStep } from './rfq-rows.ts'
import { requireOutliving } from './signing.ts'
import { freedBy, holdOf, requireStep } from './steps.ts'

export interface NewAcceptance {
  readonly requesterAddress: string
  readonly quoteId: string
  readonly expiry: number | string
  readonly nonce: string
  readonly salt: string
  readonly signature: string
}

function requireQuote({ quotes }: StoredRfq, quoteId: string): QuoteRow {
  const quote = quotes.find((one) => one.quoteId === quoteId)
  if (!quote) throw new AppError('NOT_FOUND')
  return quote
}

/** The requester takes a quote: exactly one of a request, whoever else accepts, cancels or sweeps at the same time. */
export function createAcceptance({ clock, random, agreed, notices }: RfqParts & { readonly notices: Notices }) {
  return async function accept(tenant: TenantDatabase, id: string, request: NewAcceptance): Promise<AcceptanceRecord> {
    const { instanceId } = tenant
    const { quoteId } = request
    const requester = requireAddressField('requesterAddress', request.requesterAddress)
    const seen = await findRfq(tenant, id)
    // Most of what can be wrong shows before anybody asks the chain.
    requireStep(acceptQuote(asRfq(seen), quoteId, requester, seen.readAt.getTime()))
    const { row, readAt } = seen
    const { price } = requireQuote(seen, quoteId)
    const book = await agreed.bookOf(tenant, row.bookId)
    const terms = { quantity: exact(row.baseAmount), price: exact(price) }
    const order = agreed.agreedOrder(book, { ...terms, trader: requester, side: row.side }, request)
    requireOutliving(request.expiry, readAt)
    await agreed.requireNew(tenant, book, order.hash)
    const signature = loweredHex(request.signature)
    const quoted = await agreed.keptSide(tenant, book, quoteId, order.quoteAmount)
    const examined = await agreed.examine(book, { ...order, signature }, quoted)

    const concluded = await tenant.transaction(async (sql) => {
      const before = await holdRfq(sql, instanceId, id)
      const step = requireStep(acceptQuote(asRfq(before), quoteId, requester, before.readAt.getTime()))
      const made = await agreed.conclude(sql, book, {
        instanceId,
        side: row.side,
        ...terms,
        maker: { orderId: quoteId, hold: holdOf(requireQuote(before, quoteId)) },
        taker: { ...order, orderId: newId(clock, random), signature },
        examined,
        freed: freedBy(before, step),
      })
      await writeStep(sql, before, step)
      return made
    })
    await tenant.onceCommitted(async () => notices.announce(instanceId))
    return asAcceptance(concluded)
  }
}
