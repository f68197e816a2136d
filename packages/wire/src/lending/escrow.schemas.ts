import { Type } from 'typebox'
import { DecimalString, LowercaseAddress, Nullable } from '../primitives.ts'
import { Data } from './lending.operation.ts'

/** The operation by which a holder fetches what the token refused to give back. */
const ClaimAction = Type.Literal('claim-escrowed-collateral')

/** What the token says now to the return of collateral from custody. */
export const CollateralRelease = Data({
  willEscrow: Nullable(
    Type.Boolean({
      description: 'True: the token refuses the holder, so the adapter keeps it for them. null: unknown.',
    }),
  ),
  verdictUnreadable: Type.Boolean(),
  holder: LowercaseAddress,
  amount: DecimalString,
  code: Nullable(Type.String({ description: 'Why the token refuses, where it is a reason we know.' })),
  reason: Nullable(Type.String({ description: "The token's own name for it." })),
  message: Nullable(Type.String()),
  adapterAddress: LowercaseAddress,
  marketId: Type.String(),
  claimAction: Nullable(ClaimAction),
})

/** What became of the collateral of a loan that a transaction closed. */
export const collateralReturn = {
  collateralReturned: Nullable(DecimalString),
  collateralReturnEscrowed: Type.Boolean({
    description: 'The token refused the holder: the adapter keeps it for them.',
  }),
  claimAction: Nullable(ClaimAction),
} as const
