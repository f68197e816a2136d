import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { deployMarket } from './deploy-market.write.ts'
import { createDeploymentOptions } from './deployment-options.service.ts'
import { getDeploymentOptionsRoute } from './get-deployment-options.route.ts'
import { getMarketRoute } from './get-market.route.ts'
import { listBorrowAssetsRoute } from './list-borrow-assets.route.ts'
import { listMarketsRoute } from './list-markets.route.ts'
import { createReadMarkets } from './read-markets.service.ts'

export { contractsOf, deployedMarket } from './deployed-market.ts'
export { deployMarketCall } from './deployment-call.ts'
export { readDeployment } from './deployment-facts.ts'
export { projectMarketParts } from './market-parts.store.ts'
export { marketState, marketStateReads } from './market-state.reads.ts'
export { questionTokens } from './token-questions.reads.ts'

export const marketRoutes = (parts: LendingParts): Route[] => {
  const markets = createReadMarkets(parts)
  return [
    getDeploymentOptionsRoute(createDeploymentOptions(parts)),
    listBorrowAssetsRoute(markets),
    deployMarket(parts),
    listMarketsRoute(markets),
    getMarketRoute(markets),
  ]
}
