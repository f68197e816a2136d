import { type Address, zeroAddress } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface Gates {
  readonly borrower: Address | null
  readonly provider: Address | null
}

export const setIdentityGatesCall = contractCall<Gates, Record<never, never>>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setIdentityGates',
  eventName: 'IdentityGatesUpdated',
  args: ({ borrower, provider }) => [borrower ?? zeroAddress, provider ?? zeroAddress],
  isFor: () => true,
})
