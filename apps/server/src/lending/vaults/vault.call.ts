import { type Address, zeroAddress } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** The first owner of a vault is named by its constructor: that event is the proof of a creation. */
export const vaultCreatedCall = contractCall<never, null>({
  kind: 'vault',
  abi: abis.vault,
  functionName: 'transferOwnership',
  eventName: 'OwnershipTransferred',
  args: () => [],
  isFor: (effect) => effect.previousOwner === zeroAddress,
})

/** A cap that is not named is not checked. */
export interface ExpectedCap {
  readonly market: Address
  readonly cap?: bigint
}

export const setDrawCapCall = contractCall<{ market: Address; cap: bigint }, ExpectedCap>({
  kind: 'vault',
  abi: abis.vault,
  functionName: 'setDrawCap',
  eventName: 'DrawCapSet',
  args: ({ market, cap }) => [market, cap],
  isFor: (effect, { market, cap }) => effect.market === market && (cap === undefined || effect.cap === cap.toString()),
})
