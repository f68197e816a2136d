import { type Static, Type } from 'typebox'
import { Address, Id, Instant, Line, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data, optional } from './trading.operation.ts'

export const bookStatuses = ['ACTIVE', 'PAUSED', 'CLOSED'] as const
export const tokenTypes = ['STOCK_TOKEN', 'LIGHT_TOKEN', 'EXTERNAL_SECURITY'] as const
export const orderStatuses = [
  'OPEN',
  'PARTIALLY_FILLED',
  'FILLED',
  'CANCELLED',
  'EXPIRED',
  'REJECTED',
  'AUCTION_PENDING',
] as const
export const enforcements = [
  'EVERY_TRADE',
  '1MIN',
  '5MIN',
  '10MIN',
  '30MIN',
  '1HOUR',
  '6HOUR',
  '12HOUR',
  '1DAY',
] as const
export const selfTradePreventionModes = ['NONE', 'CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'] as const
const settlementModes = ['ON_CHAIN', 'OFF_CHAIN'] as const
const tradingModes = ['CONTINUOUS', 'PERIODIC_AUCTION', 'HYBRID'] as const
const referenceModes = ['MANUAL', 'STOCK_FEED', 'EXTERNAL_FEED'] as const

/** Order book units as a caller sends them. */
export const UnitsIn = Type.String({
  pattern: '^[0-9]{1,19}$',
  description: 'Whole number of order book units: 1000000 is one whole unit.',
})
/** And as they are answered. */
export const Units = Type.String({ pattern: '^-?(0|[1-9][0-9]*)$', description: 'Order book units (6 decimals).' })
export const CustomerRef = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'Your own name for a customer.',
})
export const Side = OneOf(['BUY', 'SELL'] as const)
const FeeBps = Type.Integer({ minimum: 0, maximum: 1000 })

const pair = { tokenAddress: LowercaseAddress, quoteTokenAddress: LowercaseAddress }

export const OrderBook = Data({
  id: Type.String(),
  instanceId: Type.String({ description: 'The owner: another instance on an imported book.' }),
  ...pair,
  name: Type.String(),
  symbol: Type.String(),
  status: OneOf(bookStatuses),
  tokenType: OneOf(tokenTypes),
  settlementMode: OneOf(settlementModes),
  custodyContract: Nullable(LowercaseAddress),
  settlementOperator: Nullable(LowercaseAddress),
  underlyingIdentifier: Nullable(Type.String()),
  stockTokenId: Nullable(Type.String()),
  cfid: Nullable(Type.String()),
  baseDecimals: Nullable(Type.Integer()),
  quoteDecimals: Nullable(Type.Integer()),
  minOrderSize: Units,
  maxOrderSize: Nullable(Units),
  tickSize: Units,
  makerFeeBps: Type.Integer(),
  takerFeeBps: Type.Integer(),
  mmMakerRebateBps: Nullable(Type.Integer({ description: 'Negative pays the maker.' })),
  allowImport: Type.Boolean(),
  allowSharedLiquidity: Type.Boolean(),
  tradingMode: OneOf(tradingModes),
  auctionIntervalSeconds: Nullable(Type.Integer()),
  hybridSwitchSpreadBps: Nullable(Type.Integer()),
  currentAuctionId: Nullable(Type.String()),
  auctionRollUnmatched: Type.Boolean(),
  priceRefEnabled: Type.Boolean(),
  priceRefMode: OneOf(referenceModes),
  priceRefFeedUrl: Nullable(Type.String()),
  priceRefFeedHeaders: Nullable(Type.String()),
  priceRefFeedPath: Nullable(Type.String()),
  priceRefEnforcement: OneOf(enforcements),
  priceRefSpreadBps: Nullable(Type.Integer()),
  priceRefLastPrice: Nullable(Type.String()),
  priceRefLastUpdated: Nullable(Instant),
  priceRefHaltOnStale: Type.Boolean(),
  priceRefStaleTolerance: Nullable(Type.Integer()),
  priceRefCircuitBreakerBps: Nullable(Type.Integer()),
  createdAt: Instant,
  updatedAt: Instant,
  _imported: optional(Type.Literal(true)),
  _importId: optional(Type.String()),
})
export type OrderBookRecord = Static<typeof OrderBook>

/** What an owner may set when a book is created and change later. */
export const bookRules = {
  minOrderSize: optional(UnitsIn),
  maxOrderSize: optional(Nullable(UnitsIn)),
  tickSize: optional(UnitsIn),
  makerFeeBps: optional(FeeBps),
  takerFeeBps: optional(FeeBps),
  mmMakerRebateBps: optional(Nullable(Type.Integer({ minimum: -1000, maximum: 1000 }))),
} as const

export const referenceSettings = {
  priceRefEnabled: optional(Type.Boolean()),
  priceRefEnforcement: optional(OneOf(enforcements)),
  priceRefSpreadBps: optional(Nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))),
  priceRefHaltOnStale: optional(Type.Boolean()),
  priceRefStaleTolerance: optional(Nullable(Type.Integer({ minimum: 60, maximum: 604_800 }))),
} as const

const feedSource = {
  priceRefFeedUrl: optional(
    Nullable(Type.String({ maxLength: 2048, description: 'https, at a public address. Needed by EXTERNAL_FEED.' })),
  ),
  priceRefFeedHeaders: optional(
    Nullable(Type.String({ maxLength: 4096, description: 'A JSON object of names and values, sent to the feed.' })),
  ),
  priceRefFeedPath: optional(
    Nullable(
      Type.String({
        maxLength: 256,
        description: 'Where the price stands in the answer, like `data.0.price`; the symbol on STOCK_FEED.',
      }),
    ),
  ),
} as const

/** Where the reference price comes from. */
export const feedSettings = { priceRefMode: optional(OneOf(referenceModes)), ...feedSource } as const
export const offchainFeedSettings = {
  priceRefMode: optional(OneOf(['MANUAL', 'EXTERNAL_FEED'] as const)),
  ...feedSource,
} as const

/** Other than `CONTINUOUS` on stock books only. */
export const auctionSettings = {
  tradingMode: optional(OneOf(tradingModes)),
  auctionIntervalSeconds: optional(Nullable(Type.Integer({ minimum: 30, maximum: 3600 }))),
  hybridSwitchSpreadBps: optional(Nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))),
  auctionRollUnmatched: optional(Type.Boolean()),
} as const

export const circuitBreaker = {
  priceRefCircuitBreakerBps: optional(Nullable(Type.Integer({ minimum: 10, maximum: 10_000 }))),
} as const

export const newBook = {
  tokenAddress: Address,
  quoteTokenAddress: Address,
  name: Line(64),
  symbol: Line(16),
} as const

export const Trade = Data({
  tradeId: Type.String(),
  orderBookId: Type.String({ description: "The maker's book." }),
  takerOrderBookId: Nullable(Type.String({ description: "The taker's book, when the fill crossed books." })),
  origin: OneOf(['CLOB', 'AUCTION', 'RFQ'] as const),
  makerOrderId: Type.String(),
  takerOrderId: Type.String(),
  makerAddress: Type.String(),
  takerAddress: Type.String(),
  price: Units,
  quantity: Units,
  makerFee: Units,
  takerFee: Units,
  side: Side,
  settlementId: Nullable(Type.String()),
  settlementStatus: Nullable(OneOf(['PROCESSING', 'CONFIRMED', 'FAILED'] as const)),
  settlementError: Nullable(Type.String()),
  createdAt: Instant,
})
export type TradeRecord = Static<typeof Trade>

const page = { total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }
export const nextCursor = Nullable(
  Type.String({
    description: 'Sent back as `cursor`, it goes on behind this page, whatever trades come in meanwhile.',
  }),
)
export const TradePage = Data({ trades: Type.Array(Trade), ...page, nextCursor })

/** The tape as a file: every field of a trade. */
export const tradesCsv = {
  rows: 'trades',
  page: 100,
  columns: Object.fromEntries(Object.keys(Trade.properties).map((name) => [name, name])),
} as const

const resolutions = ['1m', '5m', '15m', '1h', '4h', '1d'] as const
export type CandleResolution = (typeof resolutions)[number]

const Candle = Data({
  startsAt: Instant,
  open: Units,
  high: Units,
  low: Units,
  close: Units,
  volume: Units,
  quoteVolume: Units,
  trades: Type.Integer(),
})

export const CandlePage = Data({
  resolution: OneOf(resolutions),
  candles: Type.Array(Candle),
  limit: Type.Integer(),
  nextCursor: Nullable(Type.String()),
})

export const candlesQuery = Type.Object({
  resolution: optional(OneOf(resolutions)),
  from: optional(Instant),
  to: optional(Instant),
  limit: optional(Type.String()),
  cursor: optional(Type.String({ maxLength: 100 })),
})

export const candlesCsv = {
  rows: 'candles',
  page: 1000,
  columns: Object.fromEntries(Object.keys(Candle.properties).map((name) => [name, name])),
} as const

export const Order = Data({
  id: Type.String(),
  orderId: Type.String(),
  orderBookId: Type.String(),
  instanceId: Type.String(),
  userAddress: Type.String({ description: 'A wallet, or `offchain:` and the customer reference.' }),
  accountId: Nullable(Type.String()),
  clientOrderId: Nullable(Type.String()),
  side: Side,
  orderType: OneOf(['LIMIT', 'MARKET'] as const),
  price: Nullable(Units),
  quantity: Units,
  filledQuantity: Units,
  remainingQuantity: Units,
  status: OneOf(orderStatuses),
  timeInForce: OneOf(['GTC', 'IOC', 'FOK'] as const),
  postOnly: Type.Boolean(),
  selfTradePreventionMode: OneOf(selfTradePreventionModes),
  auctionId: Nullable(Type.String()),
  lockId: Nullable(Type.String()),
  cancelReason: Nullable(Type.String()),
  expiresAt: Nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
})
export type OrderRecord = Static<typeof Order>

export const OrderDetails = Data({
  ...Order.properties,
  orderBook: OrderBook,
  makerTrades: Type.Array(Trade),
  takerTrades: Type.Array(Trade),
})
export const OrderPage = Data({ orders: Type.Array(Order), ...page })

export const PlacedOrder = Data({
  order: Order,
  trades: Type.Array(Trade),
  filledQuantity: Units,
  remainingQuantity: Units,
  status: OneOf(orderStatuses),
  stpTriggered: Type.Boolean(),
  cancelReason: Nullable(Type.String()),
  auctionId: optional(Type.String({ description: 'The auction that collected the order, on a book that is in one.' })),
  auctionEndsAt: optional(Instant),
})
export type PlacedOrderRecord = Static<typeof PlacedOrder>

const figure = optional(Type.String())

/** Why one order of a batch was refused: the same code, sentence and figures as if it had come alone. */
export const OrderRefusal = Data({
  code: Type.String(),
  message: Type.String(),
  details: optional(Type.Array(Data({ field: Type.String(), message: Type.String() }))),
  step: figure,
  referencePrice: figure,
  lowerBound: figure,
  upperBound: figure,
  spreadBps: optional(Type.Integer()),
  required: figure,
  available: figure,
  tokenAddress: figure,
  orderId: figure,
})

const Level = Data({ price: Units, quantity: Units, orderCount: Type.Integer() })

export const Snapshot = Data({
  orderBook: Data({
    id: Type.String(),
    ...pair,
    name: Type.String(),
    symbol: Type.String(),
    status: OneOf(bookStatuses),
    tokenType: OneOf(tokenTypes),
    settlementMode: OneOf(settlementModes),
    custodyContract: Nullable(LowercaseAddress),
    allowImport: Type.Boolean(),
    priceRefEnabled: Type.Boolean(),
    makerFeeBps: Type.Integer(),
    takerFeeBps: Type.Integer(),
    minOrderSize: Units,
    maxOrderSize: Nullable(Units),
    tickSize: Units,
  }),
  depth: Data({
    bids: Type.Array(Level, { description: 'Highest first.' }),
    asks: Type.Array(Level, { description: 'Lowest first.' }),
  }),
  lastPrice: Nullable(Units),
  priceReference: Nullable(
    Data({
      price: Type.String(),
      mode: OneOf(referenceModes),
      enforcement: OneOf(enforcements),
      spreadBps: Nullable(Type.Integer()),
      lowerBound: Nullable(Type.String()),
      upperBound: Nullable(Type.String()),
      lastUpdated: Instant,
    }),
  ),
  stats24h: Data({ volume: Units, trades: Type.Integer(), high: Nullable(Units), low: Nullable(Units) }),
  timestamp: Instant,
  journal: Data({
    sequence: Type.String({ description: 'Commands that led to this depth.' }),
    headHash: Type.String({ description: 'The hash chain over all of them.' }),
  }),
})

export const PriceReference = Data({
  enabled: Type.Boolean(),
  mode: OneOf(referenceModes),
  enforcement: OneOf(enforcements),
  spreadBps: Nullable(Type.Integer()),
  haltOnStale: Type.Boolean(),
  staleTolerance: Nullable(Type.Integer()),
  currentPrice: Nullable(Type.String()),
  lowerBound: Nullable(Type.String()),
  upperBound: Nullable(Type.String()),
  lastUpdated: Nullable(Instant),
  feedError: Nullable(
    Type.String({ description: 'Why the feed did not answer when it was last asked. For the owner only.' }),
  ),
})
export const newReferencePrice = {
  price: Type.String({ maxLength: 64, description: 'Plain decimal, in quote per whole base unit.' }),
} as const
export const ReferenceSet = Data({ price: Type.String(), updatedAt: Instant })

export const Auction = Data({
  id: Type.String(),
  orderBookId: Type.String(),
  startedAt: Instant,
  endsAt: Instant,
  status: OneOf(['COLLECTING', 'UNCROSSING', 'CLEARED', 'CANCELLED'] as const),
  clearingPrice: Nullable(Units),
  matchedVolume: Type.String({ pattern: '^[0-9]+$', description: 'Base; 0 until it is cleared.' }),
  orderCount: Type.Integer({ description: '0 until it is cleared.' }),
  indicative: optional(Nullable(Data({ price: Units, volume: Units }))),
  createdAt: Instant,
  updatedAt: Instant,
})
export type AuctionRecord = Static<typeof Auction>

export const pageQuery = Type.Object({ limit: optional(Type.String()), offset: optional(Type.String()) })
export const tradesQuery = Type.Object({ ...pageQuery.properties, cursor: optional(Type.String({ maxLength: 100 })) })
export const statusQuery = Type.Object({ status: optional(OneOf(bookStatuses)) })

/** One order of a customer on an off-chain book. */
export const newOrder = {
  orderBookId: Id,
  customerRef: CustomerRef,
  side: Side,
  orderType: OneOf(['LIMIT', 'MARKET'] as const),
  price: optional(UnitsIn),
  quantity: UnitsIn,
  timeInForce: optional(OneOf(['GTC', 'IOC', 'FOK'] as const)),
  postOnly: optional(Type.Boolean()),
  selfTradePreventionMode: optional(OneOf(selfTradePreventionModes)),
  clientOrderId: optional(Line(64)),
} as const

const SharedPeer = Data({
  id: Type.String(),
  instanceId: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  ...pair,
  custodyContract: Nullable(LowercaseAddress),
  tokenType: OneOf(tokenTypes),
  status: OneOf(bookStatuses),
  underlyingIdentifier: Nullable(Type.String()),
  cfid: Nullable(Type.String()),
})

/** Books that pool their depth with one. */
export const SharedPeers = Data({
  enabled: Type.Boolean(),
  peerCount: Type.Integer(),
  peerIds: Type.Array(Type.String()),
  peers: Type.Array(SharedPeer),
})
