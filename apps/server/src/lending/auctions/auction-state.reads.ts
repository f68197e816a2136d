import type { Address } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { ageOf } from '../oracle/index.rules.ts'
import type { AuctionOnChain } from './auction.rules.ts'

/** The venue that the market names, what stops or lets it sell, and some of its auctions. `venue` is only guessed. */
export function venueStateReads(market: Market, venue: Address | null, ids: readonly bigint[], loanId?: bigint) {
  const { address, oracle } = market
  const auctions = venue ? ids.map((id) => [venue, id] as const) : []
  return {
    parts: contractRead(address, abis.market, 'parts', []),
    paused: contractRead(address, abis.market, 'isPaused', []),
    updatedAt: contractRead(oracle, abis.oracle, 'updatedAt', []),
    maxPriceAge: contractRead(oracle, abis.oracle, 'maxPriceAge', []),
    count: venue ? [contractRead(venue, abis.venue, 'auctionCount', [])] : [],
    ofLoan: venue && loanId !== undefined ? [contractRead(venue, abis.venue, 'auctionOfLoan', [loanId])] : [],
    auctions: auctions.map(([at, id]) => contractRead(at, abis.venue, 'auction', [id])),
    endTimes: auctions.map(([at, id]) => contractRead(at, abis.venue, 'endTime', [id])),
    prices: auctions.map(([at, id]) => contractRead(at, abis.venue, 'currentPrice', [id])),
  } as const
}

type VenueResults = NamedResults<ReturnType<typeof venueStateReads>>

/** The auctions that were asked for, by number. Null: one did not answer. One that never was is left out. */
export function auctionsIn(results: VenueResults, ids: readonly bigint[]): Map<bigint, AuctionOnChain> | null {
  const found = new Map<bigint, AuctionOnChain>()
  for (const [index, id] of ids.entries()) {
    const [auction, endTime, price] = [results.auctions[index], results.endTimes[index], results.prices[index]]
    if (!auction?.ok || !endTime?.ok || !price?.ok) return null
    if (auction.value.startedAt !== 0) found.set(id, { ...auction.value, endTime: endTime.value, price: price.value })
  }
  return found
}

/** Whether anything can be sold now. Null: the market or its oracle did not answer. */
export function conditionsIn({ paused, updatedAt, maxPriceAge }: VenueResults, chainTime: number) {
  if (!paused.ok || !updatedAt.ok || !maxPriceAge.ok) return null
  const { isStale } = ageOf(updatedAt.value, maxPriceAge.value, chainTime)
  return { chainTime, isPaused: paused.value, isPriceStale: isStale }
}
