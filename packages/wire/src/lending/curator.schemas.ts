import { Type } from 'typebox'
import { DecimalString, Hash, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { AssetDataBundle, ContentHash } from './asset-data.schemas.ts'
import { Data } from './lending.operation.ts'
import {
  AssetRef,
  Bps,
  builtA,
  ConfirmWith,
  collateralModes,
  IntegerString,
  priceSources,
  rateModes,
  realizationModes,
} from './lending.schemas.ts'
import { storedMarket } from './markets.schemas.ts'
import { generations, IdentityGate, registerShapes } from './registers.schemas.ts'

const address = Nullable(LowercaseAddress)

/* THE QUEUE */

const lenderOfRecord = {
  seekingCurator: Type.Boolean(),
  curator: address,
  realizationMode: OneOf(realizationModes),
  liquidityCommitment: IntegerString,
} as const

const pendingMarket = {
  marketAddress: LowercaseAddress,
  marketDeployer: LowercaseAddress,
  deployedAt: Instant,
  collateralTokenAddress: LowercaseAddress,
  collateralTokenName: Nullable(Type.String({ description: 'null: the token does not say.' })),
  collateralTokenSymbol: Nullable(Type.String()),
  collateralTokenIsin: Nullable(Type.String()),
  collateralDecimals: Nullable(Type.Integer()),
  collateralMode: OneOf(collateralModes),
  priceSource: OneOf(priceSources),
  oracleAddress: LowercaseAddress,
  interestModelAddress: LowercaseAddress,
  insuranceFundAddress: LowercaseAddress,
  adapterAddress: LowercaseAddress,
  liquidationRouterAddress: LowercaseAddress,
  identityRegistryAddress: address,
  borrowAssetAddress: LowercaseAddress,
  borrowAssetSymbol: Nullable(Type.String()),
  borrowAssetDecimals: Nullable(Type.Integer()),
  ...lenderOfRecord,
  openToAnyCurator: Type.Boolean(),
  operatorShareBps: Type.Literal('800'),
  candidates: Type.Array(LowercaseAddress),
  factoryGeneration: Type.Literal('curator'),
  identityGate: IdentityGate,
} as const

export const PendingMarket = Data(pendingMarket)

export const QueuedMarket = Data({
  ...pendingMarket,
  origin: OneOf(['NOMINATED', 'OPEN', 'OWN']),
  canAccept: Type.Boolean({ description: 'Your instance is an approved lender and one of its wallets may sign.' }),
  nominatedWallets: Type.Array(LowercaseAddress),
  eligibleWallets: Type.Array(LowercaseAddress, {
    description: 'Nominated, or verified on the borrower register of an open market.',
  }),
  recordedMarketId: Nullable(Type.String({ description: 'Your own record of this market, if you have one.' })),
  nominator: Data({ wallet: LowercaseAddress }),
})

const Offering = Data({
  generation: OneOf(generations),
  curve: Data({ baseBps: Bps, multiplierBps: Bps, jumpBps: Bps, kinkBps: Bps }),
  rateMode: OneOf(rateModes),
  rateFloorBps: Bps,
  rateCapBps: Bps,
  fixedStampRateBps: Nullable(Bps),
  maxFixedRateBps: Nullable(Bps),
  reserveRatioBps: Bps,
  risk: Data({
    collateralFactorBps: Bps,
    liquidationThresholdBps: Bps,
    liquidationPenaltyBps: Bps,
    protocolFeeRateBps: Bps,
    closeFactorBps: Bps,
    minBorrowAmount: IntegerString,
  }),
  terms: Data({
    maxLoanDurationSeconds: Type.Integer(),
    termGracePeriodSeconds: Type.Integer(),
    terminalDueDate: Nullable(Type.Integer()),
    termPenaltyBps: Bps,
    allowExtension: Type.Boolean(),
  }),
})

export const QueuedMarketDetails = Data({
  market: Data({ ...pendingMarket, generation: OneOf(generations), proposedProviderRegistry: address }),
  isBank: Type.Boolean(),
  wallets: Type.Array(LowercaseAddress),
  termsStatus: Data({
    status: OneOf(['PUBLISHED', 'AWAITING_LENDER']),
    version: Nullable(Type.Integer()),
    contentHash: Nullable(Type.String()),
    curatorAddress: address,
    reason: Nullable(Type.String()),
  }),
  assetData: Data({
    status: OneOf(['NONE', 'ATTESTED', 'ACKNOWLEDGED', 'DIVERGED']),
    attested: Nullable(ContentHash),
    acknowledged: Nullable(ContentHash),
    version: Type.Integer(),
    attestor: address,
    attestedAt: Nullable(Instant),
    acknowledgedAt: Nullable(Instant),
    diverged: Type.Boolean({ description: 'Also true while nothing is acknowledged: branch on `status`.' }),
    schemaVersion: Nullable(Type.String()),
    bundleAvailable: Type.Boolean(),
  }),
  offering: Nullable(Offering),
  feeSplit: Data({
    infrastructureBps: Bps,
    operatorBps: Bps,
    distributorBps: Bps,
    ofBase: Type.Literal('AFTER_INFRASTRUCTURE'),
    fixed: Type.Literal(true),
  }),
  collateralToken: Data({
    address: LowercaseAddress,
    onchain: Data({
      name: Nullable(Type.String()),
      symbol: Nullable(Type.String()),
      decimals: Nullable(Type.Integer()),
      identityRegistry: address,
    }),
    issuerProvided: Nullable(AssetDataBundle.properties.profile),
  }),
  disagreements: Type.Array(
    Data({ field: Type.String(), values: Data({ attested: Type.String(), onChain: Type.String() }) }),
    { description: 'Where the attested bundle and the chain say different things.' },
  ),
})

/* ADOPTION */

const Terms = Data({
  admin: LowercaseAddress,
  issuer: LowercaseAddress,
  collateralAgent: LowercaseAddress,
  saleRecipient: LowercaseAddress,
  liquidationOperator: LowercaseAddress,
  oracleOwner: LowercaseAddress,
  priceSigner: LowercaseAddress,
  realizationMode: OneOf(realizationModes),
  liquidityCommitment: IntegerString,
  maxFixedRateBps: Bps,
  borrowerRegistry: LowercaseAddress,
  providerRegistry: LowercaseAddress,
  liquidator: LowercaseAddress,
  vault: LowercaseAddress,
  assetDataHash: Type.String(),
})

export const Adoption = Data({
  ...builtA,
  functionName: Type.Literal('acceptCuratorRole'),
  marketAddress: LowercaseAddress,
  signer: LowercaseAddress,
  identityRegistry: address,
  borrowerRegistry: address,
  providerRegistry: address,
  borrowAsset: AssetRef,
  generation: OneOf(generations),
  installedRegister: Nullable(
    Data({
      address: LowercaseAddress,
      shape: OneOf(registerShapes),
      usable: Type.Boolean(),
      note: Nullable(Type.String()),
    }),
  ),
  terms: Terms,
  claimSalt: Type.String({ description: 'Zero for a nominee.' }),
  assetData: Data({
    acknowledged: Type.Boolean(),
    contentHash: Nullable(ContentHash),
    version: Type.Integer(),
    attestor: address,
    note: Type.String(),
  }),
  handoverNote: Type.String(),
  confirmWith: ConfirmWith,
})

export const Claim = Data({
  ...builtA,
  functionName: Type.Literal('commitCuratorClaim'),
  marketAddress: LowercaseAddress,
  signer: LowercaseAddress,
  claimFlow: Type.Literal(true),
  commitment: Hash,
  claimSalt: Hash,
  claimDelaySeconds: Type.Literal(600),
  claimWindowSeconds: Type.Literal(259_200),
  terms: Terms,
  description: Type.String(),
  confirmWith: Data({ endpoint: Type.String(), retryWith: Data({ claimSalt: Hash }) }),
})

/* HANDOVER */

const Satellite = Data({
  address: LowercaseAddress,
  owner: address,
  pendingOwner: address,
  heldBy: Nullable(OneOf(['market', 'factory', 'owner'])),
  pending: Type.Boolean(),
})

export const Handover = Data({
  readable: Type.Literal(true),
  stage: OneOf(['NOT_STARTED', 'PENDING', 'COMPLETE', 'UNKNOWN']),
  complete: Type.Boolean(),
  surrendered: Nullable(Type.Boolean({ description: 'The market owns none of the three any more.' })),
  oraclePending: Type.Boolean(),
  interestModelPending: Type.Boolean(),
  insuranceFundPending: Type.Boolean(),
  nothingPending: Type.Boolean(),
  satellites: Data({ oracle: Satellite, interestModel: Satellite, insuranceFund: Satellite }),
  acceptOwnershipCalldata: Type.Array(
    Data({
      key: OneOf(['acceptOracleOwnership', 'acceptInterestModelOwnership', 'acceptInsuranceFundOwnership']),
      to: LowercaseAddress,
      data: Type.String(),
      value: Type.Literal('0'),
      chainId: Type.Integer(),
      signer: LowercaseAddress,
      description: Type.String(),
    }),
  ),
})

export const UnreadHandover = Data({ readable: Type.Literal(false) })

export const AdoptedMarket = Data({
  ...storedMarket,
  ...lenderOfRecord,
  saleRecipient: address,
  collateralAgent: address,
  liquidationOperator: address,
  operatorShare: Type.Literal('800'),
  curatorAcceptedAt: Instant,
  curatorAcceptTxHash: Type.String(),
  curatorImported: Type.Boolean({ description: 'False: the instance had deployed the market itself.' }),
})

/* OPERATOR */

const payable = { payable: DecimalString, payableRaw: IntegerString, sweepable: Type.Boolean() } as const

const OperatorFees = Data({
  shareBps: Bps,
  fixedShare: Type.Literal(true),
  recipient: address,
  ...payable,
})

export const MarketFees = Data({
  readFailed: Type.Literal(false),
  asset: AssetRef,
  feeShareGeneration: Type.Literal('FIXED_SHARES'),
  operator: OperatorFees,
  distributor: Data({ shareBps: Bps, ...payable, registeredVaults: Type.Array(LowercaseAddress) }),
  protocol: Data({ ...payable, destination: address }),
  infrastructure: Data({ ...payable, destination: address }),
})

export const UnreadFees = Data({ readFailed: Type.Literal(true) })

export const Operator = Data({
  status: OneOf(['active', 'awaiting', 'none']),
  operator: Nullable(
    Data({
      wallet: LowercaseAddress,
      lenderOfRecord: LowercaseAddress,
      isBank: Nullable(Type.Boolean({ description: 'null: the wallet is not one of your instance.' })),
      verified: Type.Boolean({ description: 'A verified wallet of your instance.' }),
      instanceName: Nullable(Type.String()),
      walletLabel: Nullable(Type.String()),
      acceptedAt: Instant,
      acceptTxHash: Nullable(Type.String({ description: 'null: not taken down here yet.' })),
    }),
  ),
  actions: Type.Array(
    Data({
      id: Type.String(),
      txType: OneOf(['CURATOR_ACCEPTED', 'OPERATOR_WALLET_SET', 'OPERATOR_FEES_SWEPT', 'SUPPLY', 'WITHDRAW']),
      userAddress: LowercaseAddress,
      amount: DecimalString,
      txHash: Type.String(),
      timestamp: Instant,
    }),
    { description: 'What the operator did with the market, newest first, at most 50.' },
  ),
  marketFees: Nullable(Type.Union([MarketFees, UnreadFees])),
})

/* ROLES */

export const accessRoles = [
  'MARKET_ADMIN',
  'MARKET_ISSUER',
  'MARKET_LIQUIDATOR',
  'ROUTER_ADMIN',
  'ROUTER_OPERATOR',
  'ORACLE_SIGNER',
] as const

export const roleNames = [
  'DEFAULT_ADMIN_ROLE',
  'ISSUER_ROLE',
  'LIQUIDATOR_ROLE',
  'OPERATOR_ROLE',
  'Price signing',
] as const

const RoleStep = Data({
  to: LowercaseAddress,
  data: Type.String(),
  value: Type.Literal('0'),
  chainId: Type.Integer(),
  description: Type.String(),
  requiredAuthority: Type.String(),
  heldByThisInstance: Nullable(Type.Boolean({ description: 'null: could not be read.' })),
  signerAddress: address,
  note: Nullable(Type.String()),
})

const roleChange = {
  role: OneOf(accessRoles),
  roleName: OneOf(roleNames),
  contract: LowercaseAddress,
  address: LowercaseAddress,
} as const

export const RoleUnchanged = Data({
  ...roleChange,
  action: OneOf(['grant', 'revoke']),
  requiresUserAction: Type.Literal(false),
  unchanged: Type.Literal(true),
  txHash: Type.Null(),
  message: Type.String(),
})

const toSign = {
  ...roleChange,
  action: OneOf(['grant', 'revoke']),
  requiresUserAction: Type.Literal(true),
  simulation: builtA.simulation,
  message: Type.String(),
  confirmWith: ConfirmWith,
} as const

export const RoleToSign = Data({
  ...toSign,
  configurationCalldata: Data({ accessRole: RoleStep, liquidatorRole: Type.Optional(RoleStep) }),
})

export const LiquidatorToSign = Data({ ...toSign, configurationCalldata: Data({ liquidatorRole: RoleStep }) })

export const RoleConfirmed = {
  ...roleChange,
  action: OneOf(['grant', 'revoke']),
  unchanged: Type.Literal(false),
  txHash: Type.String(),
  signedBy: LowercaseAddress,
} as const

export const RoleState = Data({
  ...roleChange,
  granted: Nullable(Type.Boolean()),
  failed: Type.Boolean({ description: 'True: the chain could not be asked, and `granted` is null.' }),
})
