import { assetDataBodies } from './asset-data.ts'
import { auctionsBodies } from './auctions.ts'
import { curatorBodies } from './curator.ts'
import { escrowBodies } from './escrow.ts'
import { extensionsBodies } from './extensions.ts'
import { feesBodies } from './fees.ts'
import { figuresBodies } from './figures.ts'
import { insuranceBodies } from './insurance.ts'
import { liquidationsBodies } from './liquidations.ts'
import { liquidityBodies } from './liquidity.ts'
import { loansBodies } from './loans.ts'
import { oracleBodies } from './oracle.ts'
import { positionsBodies } from './positions.ts'
import { ratesBodies } from './rates.ts'
import { registersBodies } from './registers.ts'
import { repaymentBodies } from './repayment.ts'
import { routerBodies } from './router.ts'
import { setupBodies } from './setup.ts'
import { termsBodies } from './terms.ts'
import { upgradesBodies } from './upgrades.ts'
import { vaultsBodies } from './vaults.ts'
import { watchBodies } from './watch.ts'

const ADDRESS = `0x${'5'.repeat(40)}`

/** Bodies of the right form for every lending operation. */
export const lendingBodies: Record<string, Record<string, unknown>> = {
  deployMarket: { collateralTokenAddress: ADDRESS, borrowAssetAddress: `0x${'6'.repeat(40)}`, initialPrice: '1' },
  ...assetDataBodies,
  ...termsBodies,
  ...curatorBodies,
  ...registersBodies,
  ...setupBodies,
  ...auctionsBodies,
  ...ratesBodies,
  ...extensionsBodies,
  ...oracleBodies,
  ...figuresBodies,
  ...feesBodies,
  ...insuranceBodies,
  ...vaultsBodies,
  ...upgradesBodies,
  ...liquidityBodies,
  ...loansBodies,
  ...repaymentBodies,
  ...escrowBodies,
  ...positionsBodies,
  ...liquidationsBodies,
  ...routerBodies,
  ...watchBodies,
}
