import { Type } from 'typebox'
import { DecimalString, LowercaseAddress, Nullable } from '../primitives.ts'

export const IntegerString = Type.String({
  pattern: '^-?(0|[1-9][0-9]*)$',
  description: 'Integer in the smallest unit.',
})
export const Bps = Type.Integer({ description: 'Basis points: 10000 is everything.' })
export const UnixSeconds = Type.Integer({ description: 'Unix seconds of chain time.' })

export const collateralModes = ['FREEZE', 'CUSTODY'] as const
export const priceSources = ['NAV', 'MARKET'] as const
export const rateModes = ['CURVE', 'CLAMPED', 'FIXED'] as const
export const realizationModes = ['UNDECLARED', 'EXCHANGE_SALE', 'ISSUER_REDEMPTION', 'AUCTION'] as const

/** An unsigned transaction that says everything itself. */
export const Transaction = Type.Object(
  {
    to: LowercaseAddress,
    data: Type.String(),
    value: Type.Literal('0'),
    chainId: Type.Integer(),
  },
  { additionalProperties: false },
)

export const Simulation = Type.Object(
  {
    simulated: Type.Boolean({ description: 'False: the node could not simulate, and nothing below is known.' }),
    success: Type.Boolean(),
    gasUsed: Nullable(Type.String()),
    revert: Nullable(
      Type.Object(
        { error: Type.String(), code: Nullable(Type.String()), message: Type.String() },
        { additionalProperties: false },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'What would happen if it were sent now. Never a reason to refuse a build.',
  },
)

/** Shape A: the transaction carries chain and value itself. */
export const builtA = {
  action: Type.Literal('SIGN_TRANSACTION'),
  transaction: Transaction,
  functionName: Type.String(),
  simulation: Simulation,
} as const

/** Shape B: `to` and `data` in the transaction, all four fields beside it. */
export const builtB = {
  action: Type.Literal('SIGN_TRANSACTION'),
  transaction: Type.Object({ to: LowercaseAddress, data: Type.String() }, { additionalProperties: false }),
  to: LowercaseAddress,
  data: Type.String(),
  value: Type.Literal('0'),
  chainId: Type.Integer(),
  functionName: Type.String(),
  simulation: Simulation,
} as const

/** Who has to sign, and whether that is somebody of the caller's. */
export const signerBlock = {
  requiredRole: Nullable(Type.String()),
  requiredSigner: Nullable(LowercaseAddress),
  heldByThisInstance: Nullable(Type.Boolean({ description: 'null: could not be read.' })),
  signerAddress: Nullable(LowercaseAddress),
  note: Nullable(Type.String()),
} as const

export const ConfirmWith = Type.Object(
  { endpoint: Type.String(), field: Type.Literal('txHash') },
  { additionalProperties: false },
)

export const AssetRef = Type.Object(
  { address: LowercaseAddress, symbol: Type.String(), decimals: Type.Integer() },
  { additionalProperties: false },
)

/** Present when the call was wrapped, by a Safe for instance, and its event proved it. */
export const verifiedBy = { verifiedBy: Type.Optional(Type.Literal('receipt-log')) } as const

/** One on-chain call of several, with what it is for. */
export const Step = Type.Object(
  {
    to: LowercaseAddress,
    data: Type.String(),
    description: Type.String(),
    value: Type.Literal('0'),
    chainId: Type.Integer(),
  },
  { additionalProperties: false },
)

/** How a list that grows is paged. Numbers that are none count as missing, and are held within bounds. */
export const pageQuery = {
  limit: Type.Optional(Type.String()),
  offset: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String({ maxLength: 400 })),
} as const

export { DecimalString }
