import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import {
  AssetRef,
  Bps,
  builtA,
  ConfirmWith,
  IntegerString,
  priceSources,
  realizationModes,
  UnixSeconds,
  verifiedBy,
} from './lending.schemas.ts'
import { builtSteps, CountedId } from './positions.schemas.ts'

const optional = Type.Optional
const LiquidationId = Type.String({ description: 'Counted by the router of the market from 1.' })
const MarketLiquidationId = Type.String({ description: 'The record of the market, which alone decides.' })
const GasLimit = IntegerString
const Money = Data({ amount: DecimalString, raw: IntegerString })

/** The wallet of the caller's instance that holds the role. */
const signing = { requiredRole: Type.String(), signer: LowercaseAddress } as const

/** Where the hash goes, with the body that goes with it. */
const confirmWith = <P extends Parameters<typeof Data>[0]>(more: P) =>
  Data({
    endpoint: Type.String(),
    field: Type.Literal('txHash'),
    body: Data({ marketId: Type.String(), ...more, txHash: Type.Null() }),
  })

const ofLiquidation = {
  liquidationId: LiquidationId,
  marketId: Type.String(),
  success: Type.Literal(true),
  confirmWith: confirmWith({}),
} as const

const confirmed = { liquidationId: LiquidationId, txHash: Type.String(), ...verifiedBy } as const

/** What the insurance fund was asked for, and what it paid. */
const Reserve = Data({ requested: DecimalString, covered: DecimalString, uncovered: DecimalString })

/** Where the cash goes, in this order. All of it adds up to `cash`. */
const waterfall = {
  late: Type.Boolean({ description: 'The market has closed its record: the pool up to the claim, then the fund.' }),
  cash: DecimalString,
  proceedsHeld: DecimalString,
  claim: DecimalString,
  toPool: DecimalString,
  reserveReimbursed: DecimalString,
  penalty: DecimalString,
  debtApplied: DecimalString,
  writeOffRecovered: DecimalString,
  surplus: DecimalString,
} as const

const SettlementPreview = Data({
  ...waterfall,
  shortfall: DecimalString,
  reserve: Nullable(Reserve),
})

const WriteOffPreview = Data({
  ...waterfall,
  poolLoss: DecimalString,
  reserve: Reserve,
})

export const WithdrawalBuilt = Data({
  ...ofLiquidation,
  ...builtA,
  ...signing,
  recipient: LowercaseAddress,
  saleRecipient: LowercaseAddress,
  amount: DecimalString,
  amountRaw: IntegerString,
  /** On the router before this withdrawal. */
  collateralRemaining: DecimalString,
  confirmWith: confirmWith({ amount: DecimalString }),
})

export const WithdrawalConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  recipient: LowercaseAddress,
  amount: DecimalString,
  amountRaw: IntegerString,
  collateralRemaining: DecimalString,
  at: Instant,
})

export const PartialSaleBuilt = Data({
  ...ofLiquidation,
  ...builtSteps,
  ...signing,
  collateralSold: DecimalString,
  usdcProceeds: DecimalString,
  /** Reported before this sale. */
  proceedsCollected: DecimalString,
  /** Withdrawn for sale so far. */
  collateralOut: DecimalString,
})

export const PartialSaleConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  collateralSold: DecimalString,
  usdcProceeds: DecimalString,
  at: Instant,
})

export const SettlementBuilt = Data({
  ...ofLiquidation,
  ...builtSteps,
  ...signing,
  marketLiquidationId: MarketLiquidationId,
  usdcProceeds: DecimalString,
  gasLimit: GasLimit,
  preview: SettlementPreview,
})

const Surplus = Data({
  kind: OneOf(['SURPLUS_RETURNED', 'SURPLUS_ESCROWED'] as const),
  loanId: CountedId,
  borrower: LowercaseAddress,
  amount: DecimalString,
})

/** What the market booked, from its events. */
const Settlement = Data({
  marketLiquidationId: MarketLiquidationId,
  proceedsReceived: DecimalString,
  routerProceeds: DecimalString,
  shortfall: Nullable(DecimalString),
  penalty: Nullable(DecimalString),
  debtApplied: DecimalString,
  writeOffRecovered: Nullable(DecimalString),
  reserve: Nullable(Reserve),
  reserveReimbursed: DecimalString,
  late: Type.Boolean({
    description: 'Cash for a record that the market had closed: fields that are null do not apply.',
  }),
})

export const SettlementConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  usdcProceeds: DecimalString,
  finalLegProceeds: DecimalString,
  settlement: Settlement,
  surplus: optional(Type.Array(Surplus)),
  settledAt: Instant,
})

export const TimeoutBuilt = Data({
  ...ofLiquidation,
  ...builtA,
  ...signing,
  marketLiquidationId: MarketLiquidationId,
  gasLimit: GasLimit,
  preview: WriteOffPreview,
})

export const TimeoutConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  marketLiquidationId: MarketLiquidationId,
  claim: DecimalString,
  reserve: Nullable(Reserve),
  at: Instant,
})

export const CountersignBuilt = Data({
  ...ofLiquidation,
  ...builtA,
  ...signing,
  marketLiquidationId: MarketLiquidationId,
  claim: DecimalString,
  /** Without a countersignature the fund pays no part of the gap below it. */
  floorValue: DecimalString,
})

export const CountersignConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  marketLiquidationId: MarketLiquidationId,
  at: Instant,
})

export const CloseBuilt = Data({ ...ofLiquidation, ...builtA, ...signing })
export const CloseConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  status: Type.Literal('SETTLED'),
  at: Instant,
})

export const ReopenBuilt = Data({ ...ofLiquidation, ...builtA, ...signing, collateralRemaining: DecimalString })
export const ReopenConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  status: Type.Literal('PENDING'),
  collateralRemaining: DecimalString,
  at: Instant,
})

const factor = { priceFactor: DecimalString, priceFactorBps: Bps } as const

export const SellBuilt = Data({
  ...ofLiquidation,
  ...builtA,
  ...signing,
  description: Type.String(),
  routerAddress: LowercaseAddress,
  buyer: LowercaseAddress,
  expectedPayment: Money,
  collateralAmount: DecimalString,
  collateralAmountRaw: IntegerString,
  price: Money,
  ...factor,
  settlementAsset: AssetRef,
  gasLimit: GasLimit,
  preview: SettlementPreview,
})

export const SellConfirmed = Data({
  ...confirmed,
  marketId: Type.String(),
  status: Type.Literal('SETTLED'),
  realization: Type.Literal('ATOMIC'),
  usdcProceeds: DecimalString,
  buyer: LowercaseAddress,
  payment: DecimalString,
  price: DecimalString,
  priceFactor: Nullable(DecimalString),
  priceFactorBps: Nullable(Bps),
  collateralAmount: DecimalString,
  surplus: Data({ returned: DecimalString, escrowed: DecimalString }),
  reserve: Data({ settlementCovered: DecimalString, reimbursed: DecimalString }),
  settlement: Settlement,
  settledAt: Instant,
  signedBy: LowercaseAddress,
})

const SaleBasis = Data({
  available: Nullable(Type.Boolean()),
  priceSource: OneOf(priceSources),
  realizationMode: Nullable(OneOf(realizationModes)),
  reasonCode: Nullable(Type.String()),
  reason: Nullable(Type.String()),
})

const Mode = Type.Integer({ minimum: 0, maximum: 1, description: '0 in two steps, 1 at once.' })
const ModeName = OneOf(['TWO_STEP', 'ATOMIC'] as const)

export const AtomicSale = Data({
  marketId: Type.String(),
  marketAddress: LowercaseAddress,
  routerAddress: LowercaseAddress,
  supported: Data({ router: Type.Literal(true), market: Type.Literal(true) }),
  available: Nullable(Type.Boolean()),
  saleBasis: SaleBasis,
  mode: Mode,
  modeName: ModeName,
  effective: Nullable(
    Type.Boolean({ description: 'A liquidation now would be sold at once; auctions go before, and need no bid.' }),
  ),
  dutchAuctionEnabled: Type.Boolean(),
  saleRecipient: Nullable(LowercaseAddress),
  saleRecipientLenderSide: Type.Boolean({ description: 'The sale recipient is the operator wallet of the market.' }),
  announced: Nullable(Data({ saleRecipient: LowercaseAddress, activatesAt: UnixSeconds, activatesAtIso: Instant })),
  openLiquidations: Type.Integer(),
  bid: Data({
    priceFactorBps: Bps,
    priceFactorE18: IntegerString,
    validUntil: UnixSeconds,
    validUntilIso: Nullable(Instant),
    set: Type.Boolean(),
    live: Type.Boolean(),
    expired: Type.Boolean(),
  }),
  floor: Data({ priceFactorBps: Bps }),
  limits: Data({ minPriceFactorBps: Type.Literal(9500), maxPriceFactorBps: Type.Literal(20000) }),
  settlementAsset: AssetRef,
  allowance: Nullable(Money),
  balance: Nullable(Money),
  expectedPayment: Type.Null(),
  buyerAvailable: Nullable(Type.Boolean()),
  code: Nullable(OneOf(['ATOMIC_SALE_UNAVAILABLE', 'ATOMIC_BUYER_UNAVAILABLE', 'SALE_RECIPIENT_NOT_SET'] as const)),
  reasonCode: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  signer: Nullable(
    Data({
      signerAddress: LowercaseAddress,
      isSaleRecipient: Type.Boolean(),
      isRouterAdmin: Nullable(Type.Boolean()),
      isRouterOperator: Nullable(Type.Boolean()),
    }),
  ),
  readFailed: Type.Boolean(),
  unverifiedSections: Type.Array(OneOf(['saleBasis', 'allowance', 'balance', 'price', 'signer'] as const)),
})

const Warnings = Type.Array(Data({ code: Type.String(), message: Type.String() }))

const modeSet = { marketId: Type.String(), mode: Mode, modeName: ModeName } as const
export const AtomicModeBuilt = Type.Union([
  Data({ ...modeSet, alreadySet: Type.Literal(true) }),
  Data({
    ...modeSet,
    alreadySet: Type.Literal(false),
    ...builtA,
    ...signing,
    warnings: Warnings,
    confirmWith: ConfirmWith,
  }),
])
export const AtomicModeConfirmed = Data({ ...modeSet, txHash: Type.String(), ...verifiedBy, at: Instant })

export const SaleBidBuilt = Data({
  marketId: Type.String(),
  ...builtSteps,
  requiredSigner: LowercaseAddress,
  heldByThisInstance: Type.Boolean(),
  routerAddress: LowercaseAddress,
  priceFactorBps: Bps,
  validUntil: UnixSeconds,
  allowance: Nullable(Money),
  settlementAsset: AssetRef,
  warnings: Warnings,
  confirmWith: ConfirmWith,
})
export const SaleBidConfirmed = Data({
  marketId: Type.String(),
  txHash: Type.String(),
  ...verifiedBy,
  buyer: LowercaseAddress,
  priceFactorBps: Bps,
  validUntil: UnixSeconds,
  validUntilIso: Nullable(Instant),
  at: Instant,
})

export const AnnouncementBuilt = Data({
  marketId: Type.String(),
  ...builtA,
  ...signing,
  saleRecipient: LowercaseAddress,
  announced: LowercaseAddress,
  confirmWith: ConfirmWith,
})
export const AnnouncementConfirmed = Data({
  marketId: Type.String(),
  txHash: Type.String(),
  ...verifiedBy,
  announced: LowercaseAddress,
  activatesAt: UnixSeconds,
  activatesAtIso: Instant,
  at: Instant,
})

export const RotationBuilt = Data({
  marketId: Type.String(),
  ...builtA,
  ...signing,
  saleRecipient: LowercaseAddress,
  nextSaleRecipient: LowercaseAddress,
  confirmWith: ConfirmWith,
})
export const RotationConfirmed = Data({
  marketId: Type.String(),
  txHash: Type.String(),
  ...verifiedBy,
  previousSaleRecipient: LowercaseAddress,
  saleRecipient: LowercaseAddress,
  at: Instant,
})
