import type { Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface Payment {
  readonly loanId: bigint
  readonly amount: bigint
}

export interface ExpectedLoan {
  readonly loanId: bigint
}

/** Either way of paying is proven by the same event. */
const proven = {
  kind: 'market',
  abi: abis.market,
  eventName: 'LoanRepaid',
  isCallFor: (args: readonly unknown[], { loanId }: ExpectedLoan) => args[0] === loanId,
  isFor: (effect: Readonly<Record<string, unknown>>, { loanId }: ExpectedLoan) => effect.loanId === loanId.toString(),
} as const

export const repayCall = contractCall<Payment, ExpectedLoan>({
  ...proven,
  functionName: 'repay',
  args: ({ loanId, amount }) => [loanId, amount],
})

export interface PermitSignature {
  readonly deadline: number
  readonly v: number
  readonly r: Hex
  readonly s: Hex
}

export const repayWithPermitCall = contractCall<Payment & PermitSignature, ExpectedLoan>({
  ...proven,
  functionName: 'repayWithPermit',
  args: ({ loanId, amount, deadline, v, r, s }) => [loanId, amount, BigInt(deadline), v, r, s],
})

export const closeLoanCall = contractCall<ExpectedLoan, ExpectedLoan>({
  ...proven,
  functionName: 'closeLoan',
  eventName: 'LoanClosed',
  args: ({ loanId }) => [loanId],
})
