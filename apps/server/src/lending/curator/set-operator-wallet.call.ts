import { type Address, zeroAddress } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** The adoption emits the same event, from nobody: that is no change of the wallet. */
export const setOperatorWalletCall = contractCall<{ newRecipient: Address }, { newRecipient: Address | undefined }>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setOperatorFeeRecipient',
  eventName: 'OperatorFeeRecipientUpdated',
  args: ({ newRecipient }) => [newRecipient],
  isFor: (effect, { newRecipient }) =>
    effect.previous !== zeroAddress && (newRecipient === undefined || effect.current === newRecipient),
})
