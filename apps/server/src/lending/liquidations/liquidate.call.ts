import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import type { SignedPrice } from '../oracle/oracle.rules.ts'

interface Expected {
  readonly loanId: bigint
}

export const liquidateCall = contractCall<Expected & { readonly signed: SignedPrice }, Expected>({
  kind: 'market',
  abi: abis.market,
  functionName: 'liquidate',
  eventName: 'LoanLiquidated',
  args: ({ loanId, signed }) => [loanId, signed],
  isCallFor: ([id], { loanId }) => id === loanId,
  isFor: (effect, { loanId }) => effect.loanId === loanId.toString(),
})
