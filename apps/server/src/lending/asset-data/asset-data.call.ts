import type { Address, Hex } from 'viem'
import type { Effect } from '../../platform/chain/call-pair.ts'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface HashOfMarket {
  readonly market: Address
  readonly contentHash: Hex
}

/** The market that an event of the factory must be about. */
interface ExpectedMarket {
  readonly market: Address
}

const saidByFactory = (eventName: 'AssetDataAttested' | 'AssetDataAcknowledged') => ({
  kind: 'factory',
  abi: abis.factory,
  eventName,
  isFor: (effect: Effect, { market }: ExpectedMarket) => effect.market === market,
})

export const attestAssetDataCall = contractCall<HashOfMarket, ExpectedMarket>({
  ...saidByFactory('AssetDataAttested'),
  functionName: 'attestAssetData',
  args: ({ market, contentHash }) => [market, contentHash],
})

/** A deployment makes the first attestation; nothing is ever built from here. */
export const attestByDeploymentCall = contractCall<never, ExpectedMarket>({
  ...saidByFactory('AssetDataAttested'),
  functionName: 'deployMarket',
  args: () => [],
})

export const acknowledgeAssetDataCall = contractCall<HashOfMarket, ExpectedMarket>({
  ...saidByFactory('AssetDataAcknowledged'),
  functionName: 'acknowledgeAssetData',
  args: ({ market, contentHash }) => [market, contentHash],
})

/** An adoption that names the standing hash acknowledges it; nothing is ever built from here. */
export const acknowledgeByAdoptionCall = contractCall<never, ExpectedMarket>({
  ...saidByFactory('AssetDataAcknowledged'),
  functionName: 'acceptCuratorRole',
  args: () => [],
})
