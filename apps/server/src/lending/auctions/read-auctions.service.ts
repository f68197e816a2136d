import { AppError } from '../../platform/app-error.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { shownAuction } from './auction.rules.ts'
import { knownAuctions, readAuction, readOpenAuctions, readVenueState } from './venue-state.service.ts'

/** A number that a contract could have counted to; null: a text of another form. */
const countedId = (text: string): bigint | null => (/^0*[1-9]\d{0,19}$/.test(text) ? BigInt(text) : null)

/** The auctions of a market, live. */
export function createReadAuctions({ chains }: LendingParts) {
  return {
    async list(call: MarketCall, marketId: string) {
      const record = await findDeployedMarket(call, marketId)
      const { market } = record
      const known = await knownAuctions(call.tenant, record)
      const { block, venue, auctions, conditions } = await readOpenAuctions(chains.get(market.chainId), record, known)
      const open = [...auctions].filter(([, { isActive }]) => isActive)
      const shown = open.map(([id, auction]) => shownAuction(market, id, auction, conditions))
      return { data: { venueAddress: venue, auctions: shown }, block }
    },

    async get(call: MarketCall, marketId: string, text: string) {
      const record = await findDeployedMarket(call, marketId)
      const { market } = record
      const id = countedId(text)
      if (id === null) throw new AppError('AUCTION_NOT_FOUND')
      const { block, venue, auction, conditions } = await readAuction(chains.get(market.chainId), record, id)
      if (!venue || !auction) throw new AppError('AUCTION_NOT_FOUND')
      return { data: { ...shownAuction(market, id, auction, conditions), venueAddress: venue }, block }
    },

    async ofLoan(call: MarketCall, marketId: string, text: string) {
      const record = await findDeployedMarket(call, marketId)
      const { market, venue: recorded } = record
      const loanId = BigInt(text)
      const known = await knownAuctions(call.tenant, record)
      const guess = known.open
        .filter((one) => one.loanId === loanId.toString())
        .map(({ auctionId }) => BigInt(auctionId))
      const wanted = { venue: recorded, ids: guess, loanId }
      const state = await readVenueState(chains.get(market.chainId), market, wanted, ({ ofLoan, auctions }) =>
        ofLoan === 0n || auctions.has(ofLoan) ? null : [ofLoan],
      )
      const { block, venue, ofLoan, auctions, conditions } = state
      const auction = auctions.get(ofLoan)
      const shown =
        venue && auction ? { ...shownAuction(market, ofLoan, auction, conditions), venueAddress: venue } : null
      return { data: { loanId: loanId.toString(), auction: shown }, block }
    },
  }
}

export type ReadAuctions = ReturnType<typeof createReadAuctions>
