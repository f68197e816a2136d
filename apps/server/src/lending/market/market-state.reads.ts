import type { Address } from 'viem'
import { allValues, contractRead, type ResultsOf } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** Everything that a market and its satellites say of themselves now, for one multicall. */
export function marketStateReads(market: Market) {
  const { address } = market
  return [
    contractRead(market.factory, abis.factory, 'deployment', [address]),
    contractRead(address, abis.market, 'pool', []),
    contractRead(address, abis.market, 'parts', []),
    contractRead(address, abis.market, 'config', []),
    contractRead(address, abis.market, 'termConfig', []),
    contractRead(address, abis.market, 'reserveRatioBps', []),
    contractRead(address, abis.market, 'isPaused', []),
    contractRead(market.rateModel, abis.rateModel, 'offer', []),
    contractRead(market.rateModel, abis.rateModel, 'maxFixedRateBps', []),
    contractRead(market.oracle, abis.oracle, 'price', []),
    contractRead(market.oracle, abis.oracle, 'updatedAt', []),
    contractRead(market.oracle, abis.oracle, 'maxPriceAge', []),
    contractRead(market.router, abis.router, 'saleRecipient', []),
    contractRead(market.adapter, abis.custodyAdapter, 'pledgee', []),
  ] as const
}

export type MarketStateResults = ResultsOf<ReturnType<typeof marketStateReads>>

/** All values, or null when one of them could not be read: then no figure is made up. */
export function marketState(results: MarketStateResults) {
  const values = allValues(results)
  if (!values) return null
  const [deployment, pool, parts, config, term, reserveRatioBps, isPaused, ...satellites] = values
  const [offer, maxFixedRateBps, price, updatedAt, maxPriceAge, saleRecipient, pledgee] = satellites
  return {
    deployment,
    pool,
    parts,
    config,
    term,
    reserveRatioBps,
    isPaused,
    offer,
    maxFixedRateBps,
    price,
    updatedAt,
    maxPriceAge,
    saleRecipient: saleRecipient.toLowerCase() as Address,
    pledgee: pledgee.toLowerCase() as Address,
  }
}

export type MarketState = NonNullable<ReturnType<typeof marketState>>
