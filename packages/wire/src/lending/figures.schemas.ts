import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { IntegerString, priceSources, rateModes, UnixSeconds } from './lending.schemas.ts'
import { ExitHorizon, termReach } from './rates.schemas.ts'

const optional = Type.Optional
const amount = Nullable(DecimalString)
const raw = Nullable(IntegerString)
const count = Nullable(IntegerString)
const flag = Nullable(Type.Boolean())
const bps = Nullable(Type.String({ description: 'Basis points.' }))
const seconds = Nullable(Type.String({ description: 'Seconds.' }))

/** What a line of a market's ledger can be. */
export const transactionTypes = [
  'DEPOSIT',
  'BORROW',
  'OPEN_FEE',
  'REPAY',
  'REPAY_FEE',
  'COLLATERAL_ADDED',
  'COLLATERAL_WITHDRAWN',
  'COLLATERAL_ESCROWED',
  'CLOSE',
  'LIQUIDATION',
  'AUCTION_BID',
  'COLLATERAL_ROUTED',
  'COLLATERAL_WITHDRAWN_FOR_SALE',
  'PARTIAL_SALE',
  'LIQUIDATION_SETTLED',
  'RESERVE_DRAWN',
  'LIQUIDATION_REOPENED',
  'LIQUIDATION_WRITTEN_OFF',
  'SURPLUS_RETURNED',
  'SURPLUS_ESCROWED',
  'SURPLUS_CLAIMED',
  'SUPPLY',
  'WITHDRAW',
  'OPERATOR_FEES_SWEPT',
  'DISTRIBUTOR_FEES_SWEPT',
  'PROTOCOL_FEES_SWEPT',
  'INFRASTRUCTURE_FEES_SWEPT',
  'INSURANCE_TOPUP',
  'INSURANCE_TOPUP_BOOKED',
  'ORACLE_SYNC',
  'CURATOR_ACCEPTED',
  'CONFIGURATION',
  'IDENTITY_GATES_SET',
  'VAULT_LIQUIDITY_SET',
  'VAULT_REGISTERED',
  'VAULT_DEREGISTERED',
  'MARKET_PAUSE_STATE',
  'CONTROLLER_TRANSFER_COMPLETE',
] as const

export const MarketTransaction = Data({
  id: Type.String(),
  marketId: Type.String(),
  positionId: Nullable(Type.String({ description: 'The loan.' })),
  txType: OneOf(transactionTypes),
  userAddress: LowercaseAddress,
  amount: Type.String({ description: 'In units of the token that moved; a price; 1 or 0 for a switch.' }),
  txHash: Type.String(),
  timestamp: Instant,
  recordedByThisInstance: Type.Boolean(),
})

const termFields = {
  maxLoanDuration: Type.String(),
  termGracePeriod: Type.String(),
  terminalDueDate: Type.String({ description: 'Unix seconds; 0: none.' }),
  marketDueFloor: Type.String({ description: 'Unix seconds; 0: none.' }),
  termPenaltyBps: Type.String(),
  allowExtension: Type.Boolean(),
  termStamping: termReach.termStamping,
} as const

export const marketMetrics = {
  isOnChain: Type.Boolean({ description: 'False only together with `readFailed`: then every figure is null.' }),
  readFailed: optional(Type.Literal(true)),
  paused: flag,
  liquidationContract: LowercaseAddress,
  priceSource: OneOf(priceSources),
  totalDeposits: amount,
  totalBorrows: amount,
  availableLiquidity: amount,
  borrowableLiquidity: amount,
  utilizationRate: bps,
  borrowRate: bps,
  curveBorrowRate: bps,
  supplyRate: bps,
  totalShares: amount,
  totalCollateral: amount,
  activeLoans: count,
  totalLoansCreated: count,
  activeAuctions: count,
  totalAuctions: Nullable(IntegerString),
  pendingLiquidations: count,
  pendingLiquidationDebt: amount,
  auctionModule: Nullable(LowercaseAddress),
  rateMode: Nullable(OneOf(rateModes)),
  rateFloor: bps,
  rateCap: bps,
  maxFixedRate: bps,
  fixedStampRateBps: bps,
  stampsFixedRate: flag,
  termConfig: Nullable(Data(termFields)),
  maxLoanDuration: seconds,
  termGracePeriod: seconds,
  terminalDueDate: seconds,
  marketDueFloor: seconds,
  termPenalty: bps,
  allowExtension: flag,
  latestDueAt: Nullable(UnixSeconds),
  exitHorizon: Nullable(ExitHorizon),
  newLoansClosed: flag,
  newLoansClosedReason: Nullable(OneOf(['PENDING_CURATOR', 'PAUSED', 'TERMINAL_DUE_DATE_PASSED'])),
  useVaultLiquidity: flag,
  vaultOnlyLiquidity: Type.Literal(true, { description: 'Third parties provide through a registered vault only.' }),
  reserveRatio: bps,
  reserveRatioBps: bps,
  feeShareGeneration: Type.Literal('FIXED'),
  operatorShare: Type.String(),
  distributorShare: Type.String(),
  operatorWallet: Nullable(LowercaseAddress),
  operatorFeesPayable: amount,
  operatorFeesPayableRaw: raw,
  distributorFeesPayable: amount,
  distributorFeesPayableRaw: raw,
  protocolFeesPayable: amount,
  protocolFeesPayableRaw: raw,
  infrastructureFeesPayable: amount,
  infrastructureFeesPayableRaw: raw,
} as const

export const historyRanges = ['24h', '7d', '30d', '90d', '1y', 'all'] as const
export const historyResolutions = ['hour', 'day'] as const

const volumes = {
  depositVolume: DecimalString,
  withdrawVolume: DecimalString,
  borrowVolume: DecimalString,
  repayVolume: DecimalString,
  liquidationVolume: DecimalString,
} as const

export const HistoryPoint = Data({
  timestamp: Type.Integer({ description: 'Milliseconds: where the bucket begins.' }),
  date: Instant,
  totalLiquidity: DecimalString,
  totalBorrowed: DecimalString,
  availableLiquidity: DecimalString,
  poolValue: DecimalString,
  pendingLiquidationDebt: DecimalString,
  totalCollateral: DecimalString,
  collateralValue: DecimalString,
  collateralPrice: DecimalString,
  utilizationRate: Type.String(),
  borrowRate: Type.String(),
  supplyRate: Type.String(),
  exchangeRate: DecimalString,
  openLiquidity: DecimalString,
  highLiquidity: DecimalString,
  lowLiquidity: DecimalString,
  openBorrowed: DecimalString,
  highBorrowed: DecimalString,
  lowBorrowed: DecimalString,
  ...volumes,
  carriedForward: optional(
    Type.Literal(true, { description: 'No snapshot in this bucket: the figures are those of the last one before.' }),
  ),
})

export const MarketHistory = Data({
  available: Type.Boolean(),
  indexed: Type.Boolean(),
  reason: Nullable(OneOf(['NO_MARKET_ADDRESS', 'AWAITING_FIRST_SNAPSHOT'])),
  message: Nullable(Type.String()),
  range: OneOf(historyRanges),
  resolution: OneOf(historyResolutions),
  borrowAsset: LowercaseAddress,
  borrowAssetDecimals: Nullable(Type.Integer()),
  collateralToken: LowercaseAddress,
  collateralDecimals: Nullable(Type.Integer()),
  snapshotCount: Type.Integer(),
  firstIndexedAt: Nullable(Instant),
  lastIndexedAt: Nullable(Instant),
  truncated: Type.Boolean({ description: 'Only the newest 1,000 buckets are shown.' }),
  rateMode: Nullable(OneOf(rateModes)),
  fixedStampRateBps: bps,
  supplyRateBasis: Nullable(OneOf(['FIXED_STAMP', 'BORROW_RATE'])),
  points: Type.Array(HistoryPoint),
  totals: Nullable(Data(volumes)),
})

export const IndexStatus = Data({
  available: Type.Boolean(),
  indexed: Type.Boolean(),
  reason: Nullable(OneOf(['NO_MARKET_ADDRESS', 'AWAITING_FIRST_SNAPSHOT'])),
  snapshotCount: Type.Integer(),
  lastSnapshotBlock: Nullable(Type.String()),
  lastSnapshotAt: Nullable(Instant),
  indexedBlock: Nullable(Type.String({ description: 'Every event of the market up to here is known.' })),
  indexedAt: Nullable(Instant),
  hasIndexingErrors: Nullable(
    Type.Boolean({ description: 'The index stands on a block that the chain no longer has; null: could not be read.' }),
  ),
  lagSeconds: Nullable(Type.Integer({ description: 'Chain time between the indexed block and the newest one.' })),
  stale: flag,
  staleThresholdSeconds: Type.Literal(300),
})
