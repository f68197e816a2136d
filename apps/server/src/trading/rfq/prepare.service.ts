import { acceptQuote, exact, expireRfq, type Side } from '@tallystick/engine'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { RfqParts } from './parts.ts'
import { opposite } from './quotes.service.ts'
import { asRfq, type StoredRfq } from './rfq.rules.ts'
import { findRfq } from './rfq-rows.ts'
import { requireOutliving, usualExpiry } from './signing.ts'
import { requireStep } from './steps.ts'

export interface PrepareRequest {
  readonly userAddress: string
  readonly price?: string
  readonly quoteId?: string
  readonly expiry?: number | string
  readonly nonce?: string
  readonly salt?: string
}

interface Part {
  readonly side: Side
  readonly price: bigint
  /** What was signed must still be good then. */
  readonly until: Date
}

function partOf(seen: StoredRfq, { price, quoteId }: PrepareRequest): Part {
  const { row, quotes, readAt } = seen
  if ((price === undefined) === (quoteId === undefined))
    throw fieldError('VALIDATION_ERROR', [{ field: 'price', message: 'or quoteId is required, and not both' }])
  if (price !== undefined) {
    const { rfq } = expireRfq(asRfq(seen), readAt.getTime())
    if (rfq.status !== 'PENDING' && rfq.status !== 'QUOTED') throw new AppError('RFQ_EXPIRED')
    return { side: opposite(row.side), price: BigInt(price), until: row.expiresAt }
  }
  requireStep(acceptQuote(asRfq(seen), quoteId ?? '', row.requester, readAt.getTime()))
  const quote = quotes.find((one) => one.quoteId === quoteId)
  if (!quote) throw new AppError('NOT_FOUND')
  return { side: row.side, price: quote.price, until: row.expiresAt }
}

/** What to sign: the provider a quote, the requester an acceptance. Writes nothing. */
export function createPrepare({ agreed }: RfqParts) {
  return async function prepare(tenant: TenantDatabase, id: string, request: PrepareRequest) {
    const trader = requireAddressField('userAddress', request.userAddress)
    const seen = await findRfq(tenant, id)
    const { side, price, until } = partOf(seen, request)
    const book = await agreed.bookOf(tenant, seen.row.bookId)
    const expiry = request.expiry ?? usualExpiry(until)
    requireOutliving(expiry, until)
    const terms = { trader, side, quantity: exact(seen.row.baseAmount), price: exact(price) }
    const { nonce, salt } = request
    return agreed.prepare(tenant, book, terms, {
      expiry,
      ...(nonce === undefined ? {} : { nonce }),
      ...(salt === undefined ? {} : { salt }),
    })
  }
}
