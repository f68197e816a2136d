import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { marketState, marketStateReads } from '../market/index.ts'

/** Everything that the figures of a market are made of, at one block. `state` null: it could not all be read. */
export async function readMetrics(chain: Chain, market: Market, venue: Address | null) {
  const read = await chainOrNull(
    chain.read([
      ...marketStateReads(market),
      contractRead(market.address, abis.market, 'useVaultLiquidity', []),
      contractRead(market.rateModel, abis.rateModel, 'curve', []),
      contractRead(market.router, abis.router, 'totals', []),
      // Questions that an older market, or none, does not answer.
      contractRead(market.address, abis.market, 'stampsLoanTerms', []),
      contractRead(venue ?? market.address, abis.venue, 'auctionCount', []),
    ]),
  )
  if (!read) return { block: undefined, state: null }
  const { block, results } = read
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, useVaults, curve, totals, stamps, auctions] =
    results
  const state = marketState([r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13])
  const more = allValues([useVaults, curve, totals])
  if (!state || !more) return { block, state: null }
  const [useVaultLiquidity, rateCurve, [received, settled]] = more
  return {
    block,
    state: {
      ...state,
      useVaultLiquidity,
      curve: rateCurve,
      onRouter: received - settled,
      stampsLoanTerms: stamps.ok ? stamps.value : null,
      auctions: venue && auctions.ok ? { venue, count: auctions.value } : null,
    },
  }
}

export type MetricsState = NonNullable<Awaited<ReturnType<typeof readMetrics>>['state']>
