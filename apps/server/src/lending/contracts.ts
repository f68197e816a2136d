import {
  custodyAdapterAbi,
  dutchAuctionVenueAbi,
  freezeAdapterAbi,
  insuranceFundAbi,
  interestRateModelAbi,
  lendingFactoryAbi,
  lendingMarketAbi,
  lendingVaultAbi,
  liquidationRouterAbi,
  securityPriceOracleAbi,
} from '@tallystick/abi'
import type { Abi } from 'viem'
import type { CallKinds } from '../platform/chain/call-pair.ts'
import { eventKinds } from '../platform/chain/event-facts.ts'

/** The kinds of contracts that belong to a market. A fact is called `<kind>.<event>`. */
export const abis = {
  factory: lendingFactoryAbi,
  market: lendingMarketAbi,
  oracle: securityPriceOracleAbi,
  rateModel: interestRateModelAbi,
  fund: insuranceFundAbi,
  router: liquidationRouterAbi,
  freezeAdapter: freezeAdapterAbi,
  custodyAdapter: custodyAdapterAbi,
  venue: dutchAuctionVenueAbi,
  vault: lendingVaultAbi,
} as const satisfies Record<string, Abi>

export type ContractKind = keyof typeof abis

/** Every event of every contract of the suite, for the follower. */
export const lendingKinds: CallKinds = eventKinds(abis)
