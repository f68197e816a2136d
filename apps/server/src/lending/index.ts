import type { Route } from '../platform/http/route.ts'
import type { Projection } from '../writes/index.ts'
import { assetDataRoutes } from './asset-data/index.ts'
import { auctionsRoutes } from './auctions/index.ts'
import { projectMarkets } from './core/index.ts'
import { curatorRoutes } from './curator/index.ts'
import { escrowRoutes } from './escrow/index.ts'
import { extensionsRoutes } from './extensions/index.ts'
import { feesRoutes } from './fees/index.ts'
import { figuresRoutes } from './figures/index.ts'
import { insuranceRoutes } from './insurance/index.ts'
import { liquidationsRoutes } from './liquidations/index.ts'
import { liquidityRoutes } from './liquidity/index.ts'
import { loansRoutes } from './loans/index.ts'
import { marketRoutes, projectMarketParts } from './market/index.ts'
import { oracleRoutes } from './oracle/index.ts'
import type { LendingParts } from './parts.ts'
import { positionsRoutes } from './positions/index.ts'
import { ratesRoutes } from './rates/index.ts'
import { registersRoutes } from './registers/index.ts'
import { repaymentRoutes } from './repayment/index.ts'
import { routerRoutes } from './router/index.ts'
import { setupRoutes } from './setup/index.ts'
import { termsRoutes } from './terms/index.ts'
import { upgradesRoutes } from './upgrades/index.ts'
import { vaultsRoutes } from './vaults/index.ts'
import { watchRoutes } from './watch/index.ts'

export { lendingKinds } from './contracts.ts'
export { shownHealth } from './loans/index.rules.ts'
export type { LendingParts } from './parts.ts'
export { createOpenLoans, dueOf, healthWad, type OpenLoans } from './positions/index.ts'
export { startDeliveryJob, startWatchJob } from './watch/index.ts'

export const lendingProjections: readonly Projection[] = [projectMarkets, projectMarketParts]

export const lendingRoutes = (parts: LendingParts): Route[] => [
  ...marketRoutes(parts),
  ...assetDataRoutes(parts),
  ...termsRoutes(parts),
  ...curatorRoutes(parts),
  ...registersRoutes(parts),
  ...setupRoutes(parts),
  ...auctionsRoutes(parts),
  ...ratesRoutes(parts),
  ...extensionsRoutes(parts),
  ...oracleRoutes(parts),
  ...figuresRoutes(parts),
  ...feesRoutes(parts),
  ...insuranceRoutes(parts),
  ...vaultsRoutes(parts),
  ...upgradesRoutes(parts),
  ...liquidityRoutes(parts),
  ...loansRoutes(parts),
  ...repaymentRoutes(parts),
  ...escrowRoutes(parts),
  ...positionsRoutes(parts),
  ...liquidationsRoutes(parts),
  ...routerRoutes(parts),
  ...watchRoutes(parts),
]
