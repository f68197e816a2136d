import { dutchAuctionVenueBytecode } from '@tallystick/abi'
import { type Address, encodeDeployData, type Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** Which venue is meant; one that is not named is not compared. */
export interface ExpectedVenue {
  readonly venue?: Address
}

export const setAuctionModuleCall = contractCall<{ readonly venue: Address }, ExpectedVenue>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setAuctionModule',
  eventName: 'AuctionModuleUpdated',
  args: ({ venue }) => [venue],
  isFor: ({ newModule }, { venue }) => venue === undefined || newModule === venue,
})

export const authorizeVenueCall = contractCall<
  { readonly venue: Address },
  ExpectedVenue & { readonly market: Address }
>({
  kind: 'router',
  abi: abis.router,
  functionName: 'authorizeLendingMarket',
  eventName: 'LendingMarketAuthorized',
  args: ({ venue }) => [venue, true],
  // The market itself is a source as well, and no venue.
  isFor: ({ source, isAuthorized }, { venue, market }) =>
    isAuthorized === true && source !== market && (venue === undefined || source === venue),
})

/** The creation of a venue that serves one market for ever. */
export function venueCreation(market: {
  readonly address: Address
  readonly collateralToken: Address
  readonly borrowAsset: Address
  readonly collateralDecimals: number
}): Hex {
  const { address, collateralToken, borrowAsset, collateralDecimals } = market
  const args = [address, collateralToken, borrowAsset, 10n ** BigInt(collateralDecimals)] as const
  return encodeDeployData({ abi: abis.venue, bytecode: dutchAuctionVenueBytecode, args })
}
