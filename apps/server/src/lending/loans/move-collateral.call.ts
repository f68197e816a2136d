import type { Effect } from '../../platform/chain/call-pair.ts'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import type { SignedPrice } from '../oracle/oracle.rules.ts'

/** Which loan is meant; how much was moved is what its event says. */
interface OfLoan {
  readonly loanId: bigint
}

const common = {
  kind: 'market',
  abi: abis.market,
  isCallFor: ([loanId]: readonly unknown[], expected: OfLoan) => loanId === expected.loanId,
  isFor: (effect: Effect, { loanId }: OfLoan) => effect.loanId === loanId.toString(),
} as const

export const addCollateralCall = contractCall<OfLoan & { amount: bigint }, OfLoan>({
  ...common,
  functionName: 'addCollateral',
  eventName: 'CollateralAdded',
  args: ({ loanId, amount }) => [loanId, amount],
})

export const withdrawCollateralCall = contractCall<OfLoan & { amount: bigint; signed: SignedPrice }, OfLoan>({
  ...common,
  functionName: 'withdrawCollateral',
  eventName: 'CollateralWithdrawn',
  args: ({ loanId, amount, signed }) => [loanId, amount, signed],
})
