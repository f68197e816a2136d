import { type Address, zeroAddress } from 'viem'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { type DeployedRecord, roleReads, signerBlock } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { registryNow, settled, tokenSide, tokenSideReads } from '../setup/index.ts'
import { auctionReads, isVenueOf, venueReads, wiredParts } from './auction.reads.ts'
import { runsVenueCode } from './venue-code.ts'

/** Everything that has to know a venue, and whether it does. */
export function createReadWiring({ chains }: LendingParts) {
  return function readWiring({ market, wallets }: DeployedRecord, venue: Address) {
    return settled({ registry: market.tokenRegistry, venue }, async ({ registry }) => {
      const guess = { registry, venue }
      const { block, results } = await readNamed(chains.get(market.chainId), {
        ...auctionReads(market, venue, market.insuranceFund),
        marketAdmins: roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets),
        routerAdmins: roleReads(market.router, 'DEFAULT_ADMIN_ROLE', wallets),
        ...venueReads(venue),
        ...tokenSideReads(market, guess, wallets),
      })
      const { deployment, venueOnRouter, venueOnFund } = results
      const isVenue = isVenueOf(results, market) && (await runsVenueCode(chains.get(market.chainId), market, venue))
      const admin = deployment.ok ? deployment.value.admin : zeroAddress
      return {
        block,
        wired: wiredParts(results),
        isVenue,
        onRouter: venueOnRouter[0],
        onFund: venueOnFund[0],
        token: tokenSide(results, guess, wallets),
        marketAdmin: signerBlock('DEFAULT_ADMIN_ROLE', wallets, results.marketAdmins),
        routerAdmin: signerBlock('DEFAULT_ADMIN_ROLE', wallets, results.routerAdmins),
        /** Whom the adoption made admin of both. */
        admin: admin === zeroAddress ? null : admin,
        actual: { registry: registryNow(results, guess), venue },
      }
    })
  }
}
