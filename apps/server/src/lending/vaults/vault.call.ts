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

const capCall = (functionName: string, eventName: string) =>
  contractCall<{ market: Address; cap: bigint }, ExpectedCap>({
    kind: 'vault',
    abi: abis.vault,
    functionName,
    eventName,
    args: ({ market, cap }) => [market, cap],
    isFor: (effect, { market, cap }) =>
      effect.market === market && (cap === undefined || effect.cap === cap.toString()),
  })

export const setDrawCapCall = capCall('setDrawCap', 'DrawCapSet')
/** A higher cap of a vault of the second generation waits: this starts the wait. */
export const announceDrawCapCall = capCall('announceDrawCap', 'DrawCapAnnounced')
/** Nothing is announced any more: as a cap of nothing for a market that has none yet. */
export const cancelAnnouncementCall = contractCall<{ market: Address; cap: bigint }, ExpectedCap>({
  kind: 'vault',
  abi: abis.vault,
  functionName: 'cancelAnnouncement',
  eventName: 'AnnouncementCancelled',
  args: ({ market }) => [market],
  isFor: (effect, { market, cap }) => effect.market === market && (cap === undefined || cap === 0n),
})
