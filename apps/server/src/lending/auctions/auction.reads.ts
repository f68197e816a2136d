import { type Address, zeroAddress } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** What the market, its router and its fund say about a venue. */
export function auctionReads(market: Market, venue: Address | null, fund: Address) {
  const { address, router } = market
  return {
    parts: contractRead(address, abis.market, 'parts', []),
    config: contractRead(address, abis.market, 'config', []),
    deployment: contractRead(market.factory, abis.factory, 'deployment', [address]),
    venueOnRouter: venue ? [contractRead(router, abis.router, 'isAuthorizedSource', [venue])] : [],
    venueOnFund: venue ? [contractRead(fund, abis.fund, 'isAuthorized', [venue])] : [],
  } as const
}

type AuctionResults = NamedResults<ReturnType<typeof auctionReads>>

/** Which venue and fund the market works with now; null: it does not answer. */
export function wiredParts({ parts }: Pick<AuctionResults, 'parts'>) {
  if (!parts.ok) return null
  const { auctionModule, fund, operator } = parts.value
  return {
    venue: auctionModule === zeroAddress ? null : lowered(auctionModule),
    fund: lowered(fund),
    isAdopted: operator !== zeroAddress,
  }
}

/** What a venue says it was made for. */
export const venueReads = (venue: Address) =>
  ({
    venueMarket: contractRead(venue, abis.venue, 'market', []),
    venueToken: contractRead(venue, abis.venue, 'collateralToken', []),
    venueAsset: contractRead(venue, abis.venue, 'asset', []),
    venueScale: contractRead(venue, abis.venue, 'collateralScale', []),
  }) as const

type VenueResults = NamedResults<ReturnType<typeof venueReads>>

/** A venue made for another market, token, asset or scale would sell the wrong thing, or at a wrong price. */
export function isVenueOf(results: VenueResults, market: Market): boolean {
  const { venueMarket, venueToken, venueAsset, venueScale } = results
  const is = (result: { ok: boolean; value?: Address }, expected: Address) =>
    result.ok && result.value?.toLowerCase() === expected
  return (
    is(venueMarket, market.address) &&
    is(venueToken, market.collateralToken) &&
    is(venueAsset, market.borrowAsset) &&
    venueScale.ok &&
    venueScale.value === 10n ** BigInt(market.collateralDecimals)
  )
}
