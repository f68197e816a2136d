import { type Static, Type } from 'typebox'
import { ConfirmWith } from '../lending/lending.schemas.ts'
import { Address, Id, Line, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data, optional } from './trading.operation.ts'
import {
  nextCursor,
  Order,
  OrderBook,
  OrderRefusal,
  orderStatuses,
  PlacedOrder,
  Side,
  selfTradePreventionModes,
  Trade,
  tradesCsv,
  Units,
  UnitsIn,
} from './trading.schemas.ts'

const digits = (description: string) => Type.String({ pattern: '^[0-9]{1,78}$', description })
const ChainAmount = Type.String({ pattern: '^(0|[1-9][0-9]*)$', description: 'Smallest units of the token.' })

const MaxFee = digits(
  'Smallest units of the quote token: the most that the whole order may pay in fees. Part of what is signed.',
)
const Expiry = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,16}$' })], {
  description: 'Unix seconds: the last one in which it may fill. 60 seconds to 90 days ahead.',
})
const Nonce = Type.String({
  pattern: '^[0-9]{1,20}$',
  description: 'Below 2^64. Raising the nonce floor on chain ends all orders with a nonce below it.',
})
const Salt = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description: 'Tells equal orders apart.' })
export const Signature = Type.String({
  pattern: '^0x([0-9a-fA-F]{2})*$',
  maxLength: 4098,
  description: "EIP-712, by the wallet's key or as the wallet contract takes it (ERC-1271).",
})

const market = { orderBookId: Id, userAddress: Address, side: Side } as const

export const termsToPrepare = {
  ...market,
  orderType: optional(OneOf(['LIMIT', 'MARKET'] as const)),
  price: optional(UnitsIn),
  quantity: UnitsIn,
  maxFee: optional(MaxFee),
  expiry: optional(Expiry),
  nonce: optional(Nonce),
  salt: optional(Salt),
} as const

/** What was signed beside the market, the price and the quantity. */
export const signedTerms = {
  maxFee: optional(MaxFee),
  expiry: Expiry,
  nonce: Nonce,
  salt: Salt,
  signature: optional(Signature),
} as const

export const signedOrderBody = {
  ...market,
  orderType: optional(OneOf(['LIMIT', 'MARKET'] as const)),
  price: optional(UnitsIn),
  quantity: UnitsIn,
  ...signedTerms,
  timeInForce: optional(OneOf(['GTC', 'IOC', 'FOK'] as const)),
  postOnly: optional(Type.Boolean()),
  selfTradePreventionMode: optional(OneOf(selfTradePreventionModes)),
  clientOrderId: optional(Line(64)),
} as const

export const priorityOrderBody = {
  orderBookId: Id,
  userAddress: Address,
  liquidatedUser: Address,
  amount: UnitsIn,
  price: UnitsIn,
  ...signedTerms,
  reason: optional(Line(256)),
} as const

const SignedOrderText = Data({
  trader: Address,
  token: Address,
  quote: Address,
  isBuy: Type.Boolean(),
  quantity: ChainAmount,
  price: ChainAmount,
  maxFee: ChainAmount,
  expiry: Type.String(),
  nonce: Type.String(),
  salt: Type.String(),
})

export const PreparedOrder = Data({
  order: SignedOrderText,
  domain: Data({
    name: Type.String(),
    version: Type.String(),
    chainId: Type.Integer(),
    verifyingContract: Address,
  }),
  types: Data({ Order: Type.Array(Data({ name: Type.String(), type: Type.String() })) }),
  primaryType: Type.Literal('Order'),
  orderHash: Type.String({ description: 'The digest that is signed, and the name of the order on chain.' }),
  notional: ChainAmount,
  orderBookId: Type.String(),
  custodyContract: LowercaseAddress,
  submitAs: optional(
    Data({
      orderType: Type.Literal('LIMIT', { description: 'Of a MARKET order only: the fields to submit it with.' }),
      timeInForce: Type.Literal('IOC'),
      price: Units,
    }),
  ),
  reservation: Data({
    tokenAddress: LowercaseAddress,
    amount: ChainAmount,
    available: ChainAmount,
    onChainAvailable: ChainAmount,
    reserved: ChainAmount,
    sufficient: Type.Boolean({ description: 'Advice: what counts is what there is when the order comes in.' }),
  }),
})

export const StagedSettlement = Data({
  settlementId: Type.String(),
  status: Type.Literal('PENDING'),
  orderBookId: Type.String({ description: "The maker's book, whose owner settles." }),
  tradeCount: Type.Integer(),
  settlementOperator: Nullable(LowercaseAddress),
  calldata: Type.String({ description: 'Where the owner of the book gets what has to be signed.' }),
  confirmWith: ConfirmWith,
  settledByOrderBookOwner: optional(
    Type.Literal(true, { description: 'The book is not yours: its owner signs and confirms.' }),
  ),
})

export const PlacedSignedOrder = Data({
  ...PlacedOrder.properties,
  stpCancelledMakerIds: Type.Array(Type.String()),
  skipped: Type.Array(Data({ makerOrderId: Type.String(), rule: Type.String() }), {
    description: 'Resting orders that it could not trade with, and the rule that stands between them.',
  }),
  orderHash: Type.String(),
  signedOrder: SignedOrderText,
  settlement: Nullable(StagedSettlement),
  settlements: Type.Array(StagedSettlement, {
    description: 'All of them: one for each book that the fills were made on, at most 50 fills each.',
  }),
})
export type PlacedSignedOrderRecord = Static<typeof PlacedSignedOrder>

const reported = optional(Type.String())

export const BatchResult = Type.Union([
  Data({ accepted: Type.Literal(true), ...PlacedSignedOrder.properties }),
  Data({
    accepted: Type.Literal(false),
    clientOrderId: optional(Type.String()),
    error: Data({
      ...OrderRefusal.properties,
      ...{ reason: reported, remainingBase: reported, orderHash: reported, rule: reported },
      deliveryCode: optional(Type.Integer()),
    }),
  }),
])

const page = { total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }
/** Null: a book that the instance may no longer read. */
const withBook = { orderBook: Nullable(OrderBook) } as const

export const SignedOrderDetails = Data({
  ...Order.properties,
  ...withBook,
  orderHash: Nullable(Type.String()),
  makerTrades: Type.Array(Trade),
  takerTrades: Type.Array(Trade),
})
export const UserOrderPage = Data({ orders: Type.Array(Data({ ...Order.properties, ...withBook })), ...page })
export const UserTradePage = Data({
  trades: Type.Array(Data({ ...Trade.properties, ...withBook })),
  ...page,
  nextCursor,
})
/** Every field of a trade, and the book that the wallet traded on. */
export const userTradesCsv = {
  ...tradesCsv,
  columns: { ...tradesCsv.columns, orderBookSymbol: 'orderBook.symbol', orderBookName: 'orderBook.name' },
} as const
export const userOrdersQuery = {
  orderBookId: optional(Type.String({ description: 'Left out of account above 100 characters.' })),
  status: optional(OneOf(orderStatuses)),
} as const
