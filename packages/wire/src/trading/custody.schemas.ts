import { Type } from 'typebox'
import { Address, LowercaseAddress, Nullable } from '../primitives.ts'
import { Data } from './trading.operation.ts'

/** Smallest units of a token, as answered. */
export const ChainAmount = Type.String({ pattern: '^(0|[1-9][0-9]*)$', description: 'Smallest units of the token.' })
/** And as a caller sends them. */
export const ChainAmountIn = Type.String({
  pattern: '^[1-9][0-9]{0,38}$',
  description: 'Whole number above zero, in smallest units of the token.',
})

export const UnsignedTransaction = Data({
  to: LowercaseAddress,
  data: Type.String(),
  value: Type.Literal('0'),
  chainId: Type.Integer(),
})

export const TradingSimulation = Type.Object(
  {
    simulated: Type.Boolean({ description: 'False: the node could not simulate, and nothing below is known.' }),
    success: Type.Boolean(),
    gasUsed: Nullable(Type.String()),
    revert: Nullable(Data({ error: Type.String(), code: Nullable(Type.String()), message: Type.String() })),
  },
  {
    additionalProperties: false,
    description: 'What would happen if it were sent now. Never a reason to refuse a build.',
  },
)

/** What is left to sign before a book can settle on chain. */
export const SetupSteps = Data({
  action: Type.Literal('SIGN_TRANSACTIONS'),
  custodyContract: LowercaseAddress,
  confirmWith: Data({ field: Type.Literal('custodySetupTxs'), keyedBy: Type.Literal('key') }),
  steps: Type.Array(
    Data({
      key: Type.String({ description: 'Under which the hash of the transaction is sent back.' }),
      to: LowercaseAddress,
      data: Type.String(),
      value: Type.Literal('0'),
      chainId: Type.Integer(),
      functionName: Type.String(),
      description: Type.String(),
      requiredSigner: Nullable(LowercaseAddress),
      requiredRole: Nullable(Type.String()),
    }),
    { description: 'In the order in which they have to be sent.' },
  ),
})

export const CustodyPath = Type.Object({ custodyContract: Address })
