import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface ActArgs {
  readonly proposalId: bigint
  /** Only an application names loans. */
  readonly loanIds: readonly bigint[]
}

const act = (functionName: string, eventName: string) =>
  contractCall<ActArgs, null>({
    kind: 'market',
    abi: abis.market,
    functionName,
    eventName,
    args: ({ proposalId, loanIds }) => (functionName === 'applyExtension' ? [proposalId, loanIds] : [proposalId]),
    isFor: () => true,
  })

export const confirmExtensionCall = act('confirmExtension', 'ExtensionConfirmed')
export const applyExtensionCall = act('applyExtension', 'ExtensionApplied')
/** The last page ends the batch, also when it moves no loan. */
export const completeExtensionCall = act('applyExtension', 'ExtensionCompleted')
export const cancelExtensionCall = act('cancelExtension', 'ExtensionCancelled')
