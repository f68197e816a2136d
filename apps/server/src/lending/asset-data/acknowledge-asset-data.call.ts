import type { Address, Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export interface AcknowledgeArgs {
  readonly market: Address
  readonly contentHash: Hex
}

/** The market that an acknowledgement must be about. */
interface ExpectedMarket {
  readonly market: Address
}

const proof = {
  kind: 'factory',
  abi: abis.factory,
  eventName: 'AssetDataAcknowledged',
  isFor: (effect: Readonly<Record<string, unknown>>, { market }: ExpectedMarket) => effect.market === market,
} as const

export const acknowledgeAssetDataCall = contractCall<AcknowledgeArgs, ExpectedMarket>({
  ...proof,
  functionName: 'acknowledgeAssetData',
  args: ({ market, contentHash }) => [market, contentHash],
})

/** An adoption that names the standing hash acknowledges it; nothing is ever built from here. */
export const acknowledgeByAdoptionCall = contractCall<never, ExpectedMarket>({
  ...proof,
  functionName: 'acceptCuratorRole',
  args: () => [],
})
