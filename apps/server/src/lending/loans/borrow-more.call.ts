import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import type { SignedPrice } from '../oracle/oracle.rules.ts'

interface Draw {
  readonly loanId: bigint
  readonly amount: bigint
}

export const borrowMoreCall = contractCall<Draw & { signed: SignedPrice }, Draw>({
  kind: 'market',
  abi: abis.market,
  functionName: 'borrowMore',
  eventName: 'LoanIncreased',
  args: ({ loanId, amount, signed }) => [loanId, amount, signed],
  isCallFor: ([loanId, amount], expected) => loanId === expected.loanId && amount === expected.amount,
  isFor: (effect, { loanId, amount }) => effect.loanId === loanId.toString() && effect.amount === amount.toString(),
})
