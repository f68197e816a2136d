import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { AssetRef, Bps, builtA, IntegerString, verifiedBy } from './lending.schemas.ts'
import { builtSteps } from './positions.schemas.ts'

export const Shares = Type.String({
  ...DecimalString,
  description: 'Pool shares: 18 decimals, whatever the asset has.',
})

const confirmWith = Data({
  endpoint: Type.String(),
  field: Type.Literal('txHash'),
  body: Data({ provider: LowercaseAddress, txHash: Type.Null() }),
})

/** A vault does not sign: its owner makes it supply or withdraw. */
const party = {
  provider: LowercaseAddress,
  requiredSigner: LowercaseAddress,
  asset: AssetRef,
  note: Nullable(Type.String()),
  confirmWith,
} as const

export const AddLiquidityBuilt = Data({
  ...builtSteps,
  functionName: OneOf(['addLiquidity', 'supply'] as const),
  ...party,
  amount: DecimalString,
  amountRaw: IntegerString,
  preview: Data({
    sharesMinted: Shares,
    sharesAfter: Shares,
    shareOfPoolBps: Bps,
    sharePrice: Type.String({ ...DecimalString, description: 'Of one whole share, in the asset; 18 decimals.' }),
    startsNewEpoch: Type.Boolean({ description: 'The pool is wiped out: all shares issued before become void.' }),
  }),
})

export const RemoveLiquidityBuilt = Data({
  ...builtA,
  functionName: OneOf(['removeLiquidity', 'withdraw'] as const),
  ...party,
  shares: Shares,
  expectedAmount: DecimalString,
  expectedAmountRaw: IntegerString,
  sharesAfter: Shares,
  quoteValidForSeconds: Type.Optional(
    Type.Literal(120, {
      description: 'The pool can pay, with the interest of that time; absent when the shares are worth nothing.',
    }),
  ),
})

const moved = {
  txHash: Type.String(),
  ...verifiedBy,
  signedBy: LowercaseAddress,
  provider: LowercaseAddress,
  amount: DecimalString,
  amountRaw: IntegerString,
  asset: AssetRef,
  at: Instant,
} as const

export const LiquidityAdded = Data({ ...moved, shares: Shares })
export const LiquidityRemoved = Data({ ...moved, sharesRedeemed: Shares })

const source = OneOf(['onchain', 'database'] as const, {
  description: 'database: the chain could not be read, and shares are what the events up to syncedBlock say.',
})
const syncedBlock = Nullable(Type.String({ description: 'Up to which block the events of the market are known.' }))
const currentValue = Nullable(Type.String({ ...DecimalString, description: 'null: could not be read from the chain.' }))

export const ProviderList = Data({
  providers: Type.Array(
    Data({
      id: Type.String(),
      marketId: Type.String(),
      provider: LowercaseAddress,
      amountDeposited: Type.String({ ...DecimalString, description: 'In all; withdrawals do not reduce it.' }),
      sharesOwned: Shares,
      currentValue,
      active: Type.Literal(true),
      depositedAt: Instant,
      withdrawnAt: Type.Null(),
      source: OneOf(['vault', 'wallet'] as const),
      vault: Nullable(
        Data({
          id: Nullable(Type.String({ description: 'null: not on record with your instance.' })),
          name: Nullable(Type.String()),
          symbol: Nullable(Type.String()),
        }),
      ),
    }),
  ),
  source,
  syncedBlock,
  total: Type.Integer({ description: 'Providers that hold shares, from the cursor on.' }),
  hasMore: Type.Boolean(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  nextCursor: Nullable(Type.String()),
})

export const ProviderBalance = Data({
  provider: LowercaseAddress,
  shares: Shares,
  currentValue,
  deposited: DecimalString,
  withdrawn: DecimalString,
  redeemableShares: Nullable(
    Type.String({ ...DecimalString, description: 'What the pool could pay now. null: could not be read.' }),
  ),
  distributorFees: currentValue,
  source,
  syncedBlock,
})
