import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface ProposeArgs {
  /** 0 LOAN, 1 BATCH, 2 FLOOR. */
  readonly kind: number
  /** 0 unless it is about one loan. */
  readonly loanId: bigint
  readonly newDueAt: bigint
}

export const proposeExtensionCall = contractCall<ProposeArgs, null>({
  kind: 'market',
  abi: abis.market,
  functionName: 'proposeExtension',
  eventName: 'ExtensionProposed',
  args: ({ kind, loanId, newDueAt }) => [kind, loanId, newDueAt],
  isFor: () => true,
})
