import * as assetData from './asset-data.operations.ts'
import * as auctions from './auctions.operations.ts'
import * as curator from './curator.operations.ts'
import * as escrow from './escrow.operations.ts'
import * as extensions from './extensions.operations.ts'
import * as fees from './fees.operations.ts'
import * as figures from './figures.operations.ts'
import * as insurance from './insurance.operations.ts'
import * as liquidations from './liquidations.operations.ts'
import * as liquidity from './liquidity.operations.ts'
import * as loans from './loans.operations.ts'
import * as lostWallets from './lost-wallets.operations.ts'
import * as market from './markets.operations.ts'
import * as oracle from './oracle.operations.ts'
import * as positions from './positions.operations.ts'
import * as rates from './rates.operations.ts'
import * as registers from './registers.operations.ts'
import * as repayment from './repayment.operations.ts'
import * as router from './router.operations.ts'
import * as setup from './setup.operations.ts'
import * as terms from './terms.operations.ts'
import * as upgrades from './upgrades.operations.ts'
import * as vaults from './vaults.operations.ts'
import * as watch from './watch.operations.ts'

/** Every lending operation, group by group. A group adds its operations in its own module. */
export const lendingOperations = {
  ...market,
  ...assetData,
  ...terms,
  ...curator,
  ...registers,
  ...setup,
  ...auctions,
  ...rates,
  ...extensions,
  ...oracle,
  ...figures,
  ...fees,
  ...insurance,
  ...vaults,
  ...upgrades,
  ...liquidity,
  ...loans,
  ...repayment,
  ...escrow,
  ...lostWallets,
  ...positions,
  ...liquidations,
  ...router,
  ...watch,
}

export { BUNDLE_SCHEMA_VERSION } from './asset-data.schemas.ts'
export { lendingPrefixes } from './lending.operation.ts'
export {
  Bps,
  collateralModes,
  IntegerString,
  priceSources,
  rateModes,
  realizationModes,
  Simulation,
  Transaction,
  UnixSeconds,
} from './lending.schemas.ts'
export type { SignedPriceBody } from './positions.schemas.ts'
export { type ConfigureAction, configureActions, type SetupStepKey } from './setup.schemas.ts'
export { hookKinds } from './watch.schemas.ts'
