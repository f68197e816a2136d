import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { AssetRef, Bps, builtA, ConfirmWith, IntegerString, verifiedBy } from './lending.schemas.ts'
import { builtSteps } from './positions.schemas.ts'
import { VaultRecord, vaultGeneration } from './vaults.schemas.ts'

const Amount = Data({ raw: IntegerString, value: DecimalString })
const amounts = { amount: DecimalString, amountRaw: IntegerString } as const

export const txTypes = ['DEPOSIT', 'REDEEM'] as const

const confirmAs = <T extends (typeof txTypes)[number]>(txType: T) =>
  Data({
    endpoint: Type.String(),
    field: Type.Literal('txHash'),
    body: Data({ txHash: Type.Null(), txType: Type.Literal(txType) }),
  })

export const DepositBuilt = Data({
  ...builtSteps,
  functionName: Type.Literal('deposit'),
  vaultAddress: LowercaseAddress,
  holder: Nullable(LowercaseAddress),
  ...amounts,
  asset: AssetRef,
  preview: Data({
    shares: DecimalString,
    sharePrice: DecimalString,
    shareOfVaultBps: Bps,
    redeemableAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'From when on these shares, and those of earlier deposits that still wait, can be redeemed if the deposit is mined now; null: at once.',
      }),
    ),
  }),
  depositorRegistry: Nullable(LowercaseAddress),
  attribution: Data({
    supported: Type.Literal(true),
    binding: Nullable(
      OneOf(['BINDS_NOW', 'ALREADY_BOUND', 'BOUND_ELSEWHERE', 'UNATTRIBUTED'] as const, {
        description: 'null: depends on who signs, and no holder was named.',
      }),
    ),
    requestedDistributor: Nullable(LowercaseAddress),
    distributor: Nullable(
      Type.String({ description: 'Who earns on these shares; null: the owner of the vault, or not known yet.' }),
    ),
    creditsThisInstance: Nullable(Type.Boolean()),
    note: Type.String(),
  }),
  confirmWith: confirmAs('DEPOSIT'),
})

export const RedeemBuilt = Data({
  ...builtA,
  functionName: Type.Literal('redeem'),
  vaultAddress: LowercaseAddress,
  holder: LowercaseAddress,
  shares: DecimalString,
  asset: AssetRef,
  maxPayableNow: Type.String({ description: 'What the vault could pay to all holders together.' }),
  willFillFully: Type.Boolean(),
  expectedPayout: DecimalString,
  expectedPayoutRaw: IntegerString,
  expectedSharesBurned: DecimalString,
  unreadableMarkets: Type.Array(LowercaseAddress, { description: 'They count for nothing in this redemption.' }),
  note: Type.String(),
  confirmWith: confirmAs('REDEEM'),
})

export const VaultTransactionConfirmed = Data({
  txHash: Type.String(),
  ...verifiedBy,
  txType: OneOf(txTypes),
  signedBy: LowercaseAddress,
  vaultAddress: LowercaseAddress,
  holder: LowercaseAddress,
  distributor: Nullable(LowercaseAddress),
  ...amounts,
  shares: DecimalString,
  asset: AssetRef,
  at: Instant,
})

export const VaultDetails = Data({
  ...VaultRecord.properties,
  onChain: Data({
    owner: LowercaseAddress,
    totalAssets: DecimalString,
    totalShares: DecimalString,
    sharePrice: DecimalString,
    idleAssets: DecimalString,
    allocatedAssets: DecimalString,
    redeemableNow: DecimalString,
    wipedOut: Type.Boolean(),
    depositsPaused: Type.Boolean(),
    depositorRegistry: Nullable(LowercaseAddress),
    allocations: Type.Array(
      Data({
        marketAddress: LowercaseAddress,
        marketId: Nullable(Type.String({ description: 'null: your instance has no record of this market.' })),
        poolShares: DecimalString,
        value: DecimalString,
        withdrawableNow: DecimalString,
        drawCap: DecimalString,
      }),
      { description: 'In the order in which redemptions take from them. Without markets that do not answer.' },
    ),
    ...vaultGeneration,
    unreadableMarkets: Type.Array(LowercaseAddress, {
      description: 'Markets of the vault that do not answer: they count for nothing, and deposits wait.',
    }),
    announcements: Type.Array(
      Data({
        marketAddress: LowercaseAddress,
        marketId: Nullable(Type.String()),
        cap: DecimalString,
        readyAt: Instant,
        lapsesAt: Instant,
      }),
      { description: 'Higher draw caps that the owner announced, and from when until when they can be set.' },
    ),
  }),
  holder: Nullable(
    Data({
      address: LowercaseAddress,
      shares: DecimalString,
      value: DecimalString,
      redeemableNow: DecimalString,
      redeemableShares: Type.String({ description: 'Shares that do not wait any more.' }),
      matureAt: Nullable(Instant),
      distributor: Nullable(LowercaseAddress),
      assetBalance: DecimalString,
      depositRefusal: Nullable(
        OneOf(['DEPOSITS_PAUSED', 'MARKET_UNREADABLE', 'DEPOSITOR_NOT_VERIFIED', 'VAULT_WIPED_OUT'] as const),
      ),
    }),
  ),
})

const earning = {
  earned: Amount,
  paid: Amount,
  claimable: Amount,
  uncollectedEstimate: Amount,
  attributedShares: DecimalString,
  shareOfVaultBps: Bps,
} as const

const Distributor = Data({
  distributor: LowercaseAddress,
  own: Type.Boolean({ description: 'A verified wallet of your instance.' }),
  ...earning,
  boundHolders: Type.Integer(),
})

export const VaultEarnings = Data({
  vaultAddress: LowercaseAddress,
  asset: AssetRef,
  ...earning,
  boundHolders: Type.Integer(),
  wallets: Type.Array(Distributor, { description: 'Of your instance; the figures above are their sum.' }),
  operator: Data({ recipient: LowercaseAddress, own: Type.Boolean(), ...earning }),
  totals: Data({ collected: Amount, paid: Amount, outstanding: Amount, uncollected: Amount }),
  markets: Type.Array(
    Data({
      marketAddress: LowercaseAddress,
      marketId: Nullable(Type.String()),
      collected: Amount,
      uncollected: Amount,
      lastCollectedAt: Nullable(Instant),
    }),
  ),
  payouts: Type.Array(
    Data({
      kind: OneOf(['DISTRIBUTOR', 'OPERATOR'] as const),
      recipient: LowercaseAddress,
      ...amounts,
      txHash: Type.String(),
      at: Instant,
    }),
    { description: 'The newest 50.' },
  ),
  distributors: Type.Array(Distributor, { description: 'All of the vault, the newest first.' }),
  total: Type.Integer(),
  hasMore: Type.Boolean(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  nextCursor: Nullable(Type.String()),
  history: Data({ syncedBlock: Type.String(), latestBlock: Type.String(), complete: Type.Boolean() }),
})

export const VaultPoint = Data({
  at: Instant,
  kind: OneOf(['DEPOSIT', 'REDEMPTION'] as const),
  holder: LowercaseAddress,
  amount: DecimalString,
  shares: DecimalString,
  totalShares: DecimalString,
  sharePrice: Type.String({ description: 'In the asset. What moves too little to tell has the one before.' }),
  earned: DecimalString,
  txHash: Type.String(),
  blockNumber: Type.String(),
})

export const VaultHistory = Data({
  vaultAddress: LowercaseAddress,
  asset: AssetRef,
  points: Type.Array(VaultPoint),
  syncedBlock: Nullable(Type.String()),
  hasMore: Type.Boolean(),
  limit: Type.Integer(),
  nextCursor: Nullable(Type.String()),
})

const feeBuilt = {
  ...builtA,
  description: Type.String(),
  permissionless: Type.Literal(true),
  requiredRole: Type.Null(),
  requiredSigner: Type.Null(),
  note: Type.String(),
  vaultAddress: LowercaseAddress,
  recipient: LowercaseAddress,
  ...amounts,
  asset: AssetRef,
} as const

const confirmWithBody = <P extends Parameters<typeof Data>[0]>(ids: P) =>
  Data({ endpoint: Type.String(), field: Type.Literal('txHash'), body: Data({ ...ids, txHash: Type.Null() }) })

export const CollectBuilt = Data({
  ...feeBuilt,
  marketAddress: LowercaseAddress,
  confirmWith: confirmWithBody({ marketAddress: LowercaseAddress }),
})
export const PayDistributorBuilt = Data({
  ...feeBuilt,
  distributor: LowercaseAddress,
  confirmWith: confirmWithBody({ distributor: LowercaseAddress }),
})
export const PayOperatorBuilt = Data({ ...feeBuilt, confirmWith: ConfirmWith })

const feeConfirmed = <A extends string, E extends string>(action: A, event: E) =>
  ({
    txHash: Type.String(),
    ...verifiedBy,
    action: Type.Literal(action),
    signer: LowercaseAddress,
    vaultAddress: LowercaseAddress,
    ...amounts,
    asset: AssetRef,
    events: Type.Array(Type.Literal(event)),
    at: Instant,
  }) as const

export const Collected = Data({ ...feeConfirmed('collect', 'COLLECTED'), marketAddress: LowercaseAddress })
export const DistributorPaid = Data({ ...feeConfirmed('pay', 'PAID'), distributor: LowercaseAddress })
export const OperatorPaid = Data({ ...feeConfirmed('operator', 'OPERATOR_PAID'), recipient: LowercaseAddress })
