import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { collateralModes, IntegerString, priceSources, rateModes, realizationModes } from './lending.schemas.ts'

const address = Nullable(LowercaseAddress)
const bps = Type.String({ description: 'Basis points.' })
const seconds = Type.String({ description: 'Seconds.' })

/** What a record says without asking the chain. Addresses are null until the deployment is confirmed. */
export const storedMarket = {
  id: Type.String(),
  marketAddress: address,
  factoryAddress: address,
  oracleAddress: address,
  interestModelAddress: address,
  insuranceFundAddress: address,
  adapterAddress: address,
  liquidationRouterAddress: address,
  marketDeployer: address,
  deployTxHash: Nullable(Type.String()),
  priceSource: Nullable(OneOf(priceSources)),
  collateralMode: OneOf(collateralModes),
  collateralTokenAddress: LowercaseAddress,
  collateralTokenName: Nullable(Type.String()),
  collateralTokenSymbol: Nullable(Type.String()),
  collateralTokenIsin: Nullable(Type.String()),
  collateralDecimals: Nullable(Type.Integer()),
  borrowAssetAddress: LowercaseAddress,
  borrowAssetSymbol: Nullable(Type.String()),
  borrowAssetDecimals: Nullable(Type.Integer()),
  origin: OneOf(['DEPLOYED', 'ADOPTED']),
  active: Type.Boolean(),
  createdAt: Instant,
} as const

/** What the chain says now. */
export const OnChainMarket = Type.Object(
  {
    isOnChain: Type.Literal(true),
    curator: address,
    seekingCurator: Type.Boolean(),
    curatorAcceptedAt: Nullable(Instant),
    realizationMode: OneOf(realizationModes),
    liquidityCommitment: IntegerString,
    openToAnyCurator: Type.Boolean(),
    saleRecipient: address,
    collateralAgent: address,
    operatorWallet: address,
    identityRegistryAddress: address,
    providerRegistryAddress: address,
    auctionModule: address,
    paused: Type.Boolean(),
    collateralFactor: bps,
    liquidationThreshold: bps,
    liquidationBonus: bps,
    closeFactor: bps,
    protocolFeeRate: bps,
    maxTotalCollateral: DecimalString,
    maxUserCollateral: DecimalString,
    minBorrowAmount: DecimalString,
    useDutchAuction: Type.Boolean(),
    totalDeposits: DecimalString,
    totalBorrows: DecimalString,
    availableLiquidity: DecimalString,
    borrowableLiquidity: DecimalString,
    totalCollateral: DecimalString,
    utilizationRate: bps,
    borrowRate: bps,
    supplyRate: bps,
    activeLoans: Type.String(),
    rateMode: OneOf(rateModes),
    rateFloor: bps,
    rateCap: bps,
    fixedStampRate: bps,
    maxFixedRate: Nullable(bps),
    operatorShare: bps,
    reserveRatio: bps,
    maxLoanDuration: seconds,
    termGracePeriod: seconds,
    terminalDueDate: Nullable(seconds),
    termPenalty: bps,
    marketDueFloor: Nullable(seconds),
    allowExtension: Type.Boolean(),
    price: DecimalString,
    priceRaw: IntegerString,
    isStale: Type.Boolean(),
    priceAge: seconds,
    maxPriceAge: seconds,
    oracleLastUpdate: Instant,
  },
  { additionalProperties: false },
)

/** The chain could not be asked, or the market does not answer as one of ours: no figure is made up. */
export const UnreadMarket = Type.Object(
  { isOnChain: Type.Literal(false), readFailed: Type.Literal(true) },
  { additionalProperties: false },
)

export const StoredMarket = Type.Object(storedMarket, { additionalProperties: false })
