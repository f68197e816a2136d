import type { Address, Hex } from 'viem'
import type { Effect } from '../../platform/chain/call-pair.ts'
import { abis } from '../contracts.ts'

/** What the factory is told about the data of a market. */
export interface HashOfMarket {
  readonly market: Address
  readonly contentHash: Hex
}

/** The market that an event of the factory must be about. */
export interface ExpectedMarket {
  readonly market: Address
}

export const saidByFactory = (eventName: 'AssetDataAttested' | 'AssetDataAcknowledged') => ({
  kind: 'factory',
  abi: abis.factory,
  eventName,
  isFor: (effect: Effect, { market }: ExpectedMarket) => effect.market === market,
})
