import type { Address } from 'viem'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { type DeployedRecord, findMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { admissionOf } from '../setup/index.rules.ts'
import { firstGuess, registryNow, settled, tokenSide, tokenSideReads } from '../setup/index.ts'
import { auctionReads, wiredParts } from './auction.reads.ts'
import { type AuctionFindings, auctionStatus, nothingFound } from './auction-status.rules.ts'

/** Which venue a market sells at, and what that venue may do. */
export function createAuctionModule({ chains }: LendingParts) {
  async function find(record: DeployedRecord) {
    const { market } = record
    const chain = chains.get(market.chainId)
    let fund: Address = market.insuranceFund
    const { block, results, actual } = await settled(firstGuess(record), async (guess) => {
      const ask = () =>
        readNamed(chain, { ...auctionReads(market, guess.venue, fund), ...tokenSideReads(market, guess, []) })
      let answer = await ask()
      const wired = wiredParts(answer.results)
      if (wired && wired.fund !== fund) {
        // The market was given another fund since its deployment.
        fund = wired.fund
        answer = await ask()
      }
      const { venue } = wiredParts(answer.results) ?? guess
      return { ...answer, actual: { registry: registryNow(answer.results, guess), venue } }
    })
    const wired = wiredParts(results)
    const token = tokenSide(results, actual, [])
    const known = (result: { ok: boolean; value?: boolean } | undefined) => (result?.ok ? (result.value ?? null) : null)
    const found: AuctionFindings = {
      venue: wired ? wired.venue : undefined,
      useDutchAuction: results.config.ok ? results.config.value.useDutchAuction : null,
      routerAuthorized: wired ? known(results.venueOnRouter[0]) : null,
      fundAuthorized: wired ? known(results.venueOnFund[0]) : null,
      admission: token.venue && admissionOf(token, token.venue),
    }
    return { block, found }
  }

  /** Never refuses because of the chain: what cannot be read is null. */
  return async function get(call: MarketCall, marketId: string) {
    const record = await findMarket(call, marketId)
    const { market } = record
    // Not deployed: there is nothing that a venue could be wired to.
    if (!market) return { data: auctionStatus({ ...nothingFound, venue: null }) }
    const read = await chainOrNull(find({ ...record, market }))
    return read ? { data: auctionStatus(read.found), block: read.block } : { data: auctionStatus(nothingFound) }
  }
}

export type GetAuctionModule = ReturnType<typeof createAuctionModule>
