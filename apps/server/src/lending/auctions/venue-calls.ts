import { dutchAuctionVenueBytecode } from '@tallystick/abi'
import { type Address, encodeDeployData, type Hex } from 'viem'
import { abis } from '../contracts.ts'
import { at } from '../core/index.ts'

export const setAuctionModuleCall = at('market', 'setAuctionModule', 'AuctionModuleUpdated')
export const authorizeSourceCall = at('router', 'authorizeLendingMarket', 'LendingMarketAuthorized')

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
