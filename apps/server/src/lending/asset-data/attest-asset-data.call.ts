import type { Address, Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export interface AttestArgs {
  readonly market: Address
  readonly contentHash: Hex
}

/** The market that an attestation must be about. */
interface ExpectedMarket {
  readonly market: Address
}

const proof = {
  kind: 'factory',
  abi: abis.factory,
  eventName: 'AssetDataAttested',
  isFor: (effect: Readonly<Record<string, unknown>>, { market }: ExpectedMarket) => effect.market === market,
} as const

export const attestAssetDataCall = contractCall<AttestArgs, ExpectedMarket>({
  ...proof,
  functionName: 'attestAssetData',
  args: ({ market, contentHash }) => [market, contentHash],
})

/** A deployment makes the first attestation; nothing is ever built from here. */
export const attestByDeploymentCall = contractCall<never, ExpectedMarket>({
  ...proof,
  functionName: 'deployMarket',
  args: () => [],
})
