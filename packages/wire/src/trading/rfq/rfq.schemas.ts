import { type Static, Type } from 'typebox'
import { Instant, LowercaseAddress, Nullable, OneOf } from '../../primitives.ts'
import { Signature, StagedSettlement, signedTerms } from '../signed-orders.schemas.ts'
import { Data, optional } from '../trading.operation.ts'
import { Side, Units } from '../trading.schemas.ts'

export const rfqStatuses = ['PENDING', 'QUOTED', 'ACCEPTED', 'CANCELLED', 'EXPIRED'] as const
const quoteStatuses = ['ACTIVE', 'ACCEPTED', 'EXPIRED', 'WITHDRAWN'] as const

export const Quote = Data({
  id: Type.String(),
  quoteRequestId: Type.String(),
  lpAddress: LowercaseAddress,
  lpAccountId: Nullable(Type.String()),
  price: Units,
  validUntil: Instant,
  lockId: Nullable(
    Type.String({ description: "What is reserved of the provider's funds, while the quote is active." }),
  ),
  status: OneOf(quoteStatuses),
  createdAt: Instant,
  updatedAt: Instant,
})
export type QuoteRecord = Static<typeof Quote>

const request = {
  id: Type.String(),
  instanceId: Type.String(),
  requesterAddress: LowercaseAddress,
  baseToken: LowercaseAddress,
  quoteToken: LowercaseAddress,
  custodyContract: LowercaseAddress,
  side: Side,
  baseAmount: Units,
  status: OneOf(rfqStatuses),
  expiresAt: Instant,
  createdAt: Instant,
  updatedAt: Instant,
} as const

export const RfqWithoutQuotes = Data(request)
export type RfqWithoutQuotesRecord = Static<typeof RfqWithoutQuotes>
export const Rfq = Data({ ...request, quotes: Type.Array(Quote, { description: 'In the order they came.' }) })
export type RfqRecord = Static<typeof Rfq>

export const RfqPage = Data({
  rfqs: Type.Array(Rfq),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

/** What was signed beside the market, the price and the quantity: an RFQ trade costs no fee, so `maxFee` is 0. */
export const signedQuoteTerms = {
  expiry: signedTerms.expiry,
  nonce: signedTerms.nonce,
  salt: signedTerms.salt,
  signature: Signature,
} as const
export const termsToPropose = {
  expiry: optional(signedTerms.expiry),
  nonce: optional(signedTerms.nonce),
  salt: optional(signedTerms.salt),
} as const

export const Acceptance = Data({
  trade: Data({
    tradeId: Type.String(),
    origin: Type.Literal('RFQ'),
    orderBookId: Type.String(),
    makerAddress: LowercaseAddress,
    takerAddress: LowercaseAddress,
    price: Units,
    quantity: Units,
    makerFee: Type.Literal('0'),
    takerFee: Type.Literal('0'),
    side: Side,
    quoteId: Type.String(),
    createdAt: Instant,
  }),
  settlement: StagedSettlement,
  settlementOutcome: Data({
    txHash: Type.Null({ description: 'Nothing is on chain yet: the settlement waits for its signature.' }),
    blockNumber: Type.Null(),
    gasUsed: Type.Null(),
  }),
})
export type AcceptanceRecord = Static<typeof Acceptance>
