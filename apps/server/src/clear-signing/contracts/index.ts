import { claimIssuer, erc3643Registry, identityRegistry, onchainIdentity } from './identity.ts'
import {
  custodyAdapter,
  dutchAuctionVenue,
  freezeAdapter,
  insuranceFund,
  interestRateModel,
  lendingFactory,
  lendingVault,
  liquidationRouter,
  securityPriceOracle,
} from './lending.ts'
import { lendingMarket } from './market.ts'
import type { SignedContract } from './sentence.ts'
import { stockFactory, stockToken } from './stocks.ts'
import { anyToken } from './tokens.ts'
import { signedOrderSettlement, tradingVault } from './trading.ts'

/** Every kind of contract that a build can answer a call of. */
export const signedContracts: readonly SignedContract[] = [
  lendingFactory,
  lendingMarket,
  securityPriceOracle,
  interestRateModel,
  insuranceFund,
  liquidationRouter,
  custodyAdapter,
  freezeAdapter,
  dutchAuctionVenue,
  lendingVault,
  stockFactory,
  stockToken,
  identityRegistry,
  erc3643Registry,
  onchainIdentity,
  claimIssuer,
  tradingVault,
  signedOrderSettlement,
  anyToken,
]
