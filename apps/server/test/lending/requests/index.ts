import { assetDataBodies } from './asset-data.ts'
import { auctionsBodies } from './auctions.ts'
import { curatorBodies } from './curator.ts'
import { extensionsBodies } from './extensions.ts'
import { feesBodies } from './fees.ts'
import { figuresBodies } from './figures.ts'
import { insuranceBodies } from './insurance.ts'
import { oracleBodies } from './oracle.ts'
import { ratesBodies } from './rates.ts'
import { registersBodies } from './registers.ts'
import { setupBodies } from './setup.ts'
import { termsBodies } from './terms.ts'
import { upgradesBodies } from './upgrades.ts'
import { vaultsBodies } from './vaults.ts'

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
}
