import { contractCall } from '../../platform/chain/contract-call.ts'
import { type ExpectedMarket, type HashOfMarket, saidByFactory } from './about-market.ts'

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
