import { Type } from 'typebox'
import { LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { priceSources } from './lending.schemas.ts'

/** A market with a register each for borrowers and providers, or an older one with a single register for both. */
export const generations = ['TWO_REGISTERS', 'SINGLE_REGISTER'] as const

export const registerShapes = ['none', 'bool', 'tuple', 'unknown', 'unreadable'] as const

const gate = {
  shape: OneOf(registerShapes, { description: 'How the register answers `isVerified(address)`.' }),
  usable: Type.Boolean({ description: 'False: the register answers nothing, so it refuses everyone.' }),
} as const

export const IdentityGate = Data({ ...gate, note: Nullable(Type.String()) })

const Gate = Data({ address: Nullable(LowercaseAddress), ...gate })

export const IdentityGates = Data({
  marketAddress: LowercaseAddress,
  generation: OneOf(generations),
  adjustable: Type.Boolean({ description: 'The market admin can change the registers now.' }),
  upgradeRequired: Type.Boolean(),
  pendingCurator: Type.Boolean(),
  priceSource: OneOf(priceSources),
  borrowerRegistry: Nullable(LowercaseAddress),
  providerRegistry: Nullable(LowercaseAddress),
  operatorOnlyLiquidity: Type.Boolean({ description: 'No vault is registered: only the operator wallet provides.' }),
  borrowerGateRequired: Type.Boolean({ description: 'A market with MARKET prices can never be without.' }),
  providerGateRequired: Type.Boolean(),
  vaultOnlyLiquidity: Type.Boolean({ description: 'Third parties provide through vaults only.' }),
  providerGateReadBy: OneOf(['VAULTS', 'MARKET'], {
    description: 'Whom it is meant for. VAULTS: the market itself asks it about nobody.',
  }),
  borrower: Gate,
  provider: Gate,
})
