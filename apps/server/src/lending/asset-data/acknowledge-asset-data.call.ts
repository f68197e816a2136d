import { contractCall } from '../../platform/chain/contract-call.ts'
import { type ExpectedMarket, type HashOfMarket, saidByFactory } from './about-market.ts'

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
