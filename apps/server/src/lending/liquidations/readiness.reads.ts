import { type Address, zeroAddress } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** What the market's own contracts say about seizing and selling. `venue` is only guessed. */
export function readinessReads(market: Market, venue: Address | null) {
  const { address, router, oracle } = market
  return {
    config: contractRead(address, abis.market, 'config', []),
    parts: contractRead(address, abis.market, 'parts', []),
    paused: contractRead(address, abis.market, 'isPaused', []),
    version: contractRead(address, abis.market, 'version', []),
    marketOnRouter: contractRead(router, abis.router, 'isAuthorizedSource', [address]),
    saleRecipient: contractRead(router, abis.router, 'saleRecipient', []),
    saleBid: contractRead(router, abis.router, 'saleBid', []),
    atomicTerms: contractRead(router, abis.router, 'atomicTerms', []),
    venueOnRouter: venue ? [contractRead(router, abis.router, 'isAuthorizedSource', [venue])] : [],
    price: contractRead(oracle, abis.oracle, 'price', []),
    updatedAt: contractRead(oracle, abis.oracle, 'updatedAt', []),
    maxPriceAge: contractRead(oracle, abis.oracle, 'maxPriceAge', []),
  } as const
}

type ReadinessResults = NamedResults<ReturnType<typeof readinessReads>>

const orNull = (address: Address) => (address === zeroAddress ? null : (address.toLowerCase() as Address))

/** All of it, or null when one of the contracts did not answer. */
export function readinessState(results: ReadinessResults) {
  const { config, parts, paused, marketOnRouter, saleRecipient, saleBid, venueOnRouter, price, updatedAt } = results
  const { maxPriceAge, atomicTerms } = results
  if (!config.ok || !parts.ok || !paused.ok || !marketOnRouter.ok || !saleRecipient.ok || !saleBid.ok) return null
  if (!price.ok || !updatedAt.ok || !maxPriceAge.ok || venueOnRouter.some(({ ok }) => !ok)) return null
  const [bidFactorBps, bidValidUntil] = saleBid.value
  const [onRouter] = venueOnRouter
  return {
    config: config.value,
    venue: orNull(parts.value.auctionModule),
    isPaused: paused.value,
    /** From version 3 on, collateral that the buyer does not pay waits in the router; before, the whole seizure reverted. */
    fallsBackToRouter: results.version.ok && results.version.value >= 3n,
    marketOnRouter: marketOnRouter.value,
    venueOnRouter: onRouter?.ok ? onRouter.value : null,
    saleRecipient: orNull(saleRecipient.value),
    /** The router answers this question only while nothing is wrong with the bid: a refusal says that it sells at once. */
    isAtomic: !atomicTerms.ok || atomicTerms.value[0],
    bid: { priceFactorBps: bidFactorBps, validUntil: bidValidUntil },
    price: price.value,
    updatedAt: updatedAt.value,
    maxPriceAge: maxPriceAge.value,
  }
}

export type ReadinessState = NonNullable<ReturnType<typeof readinessState>>
