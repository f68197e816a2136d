import { Type } from 'typebox'
import { DecimalString, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { AssetRef } from './lending.schemas.ts'

export const upgradeTargets = ['market', 'rateModel', 'router', 'insuranceFund'] as const
export const feeShareGenerations = ['FIXED_SHARES', 'OFFERED_SHARE'] as const

/** What fixed fee shares would change for those who are in the market now. */
export const FeeModel = Data({
  openPool: Type.Boolean({ description: 'Third parties provide directly; afterwards only through vaults.' }),
  registeredVaults: Type.Array(LowercaseAddress),
  impact: Nullable(
    Data({
      providersHoldShares: Type.Boolean(),
      openLoans: Type.String(),
      outstandingPrincipal: DecimalString,
      asset: AssetRef,
      operatorShareBps: Data({ before: Type.Integer(), after: Type.Literal(800) }),
      message: Type.String(),
    }),
  ),
  vaultWarnings: Type.Array(
    Data({ code: Type.Literal('VAULT_PREDATES_DISTRIBUTOR'), vault: LowercaseAddress, message: Type.String() }),
  ),
})

export const Perimeter = Data({
  borrowerRegistry: Nullable(LowercaseAddress),
  providerRegistry: Nullable(LowercaseAddress),
  carried: Type.Boolean(),
  note: Type.String(),
})

export const Call = Data({ to: LowercaseAddress, data: Type.String(), description: Type.String() })

/** One proxy: what it runs, what it would run. */
export const ProxyStatus = Data({
  address: Nullable(LowercaseAddress),
  readable: Type.Boolean(),
  currentImplementation: Nullable(LowercaseAddress),
  targetImplementation: Nullable(LowercaseAddress),
  upgradeAvailable: Nullable(Type.Boolean()),
  requiredRole: Type.String(),
  owner: Type.Optional(Nullable(LowercaseAddress)),
  pendingOwner: Type.Optional(Nullable(LowercaseAddress)),
})

export const Generation = OneOf(feeShareGenerations)
