import { lendingOperations } from '@tallystick/wire'
import { candidate } from '../../writes/index.ts'
import { at, eventsAt, provenMarketWrite } from '../core/index.ts'
import { readAuction, requireVenue } from './venue-state.service.ts'

const call = at('venue', 'deliverUnsold', 'AuctionExpired')
const receptions = eventsAt('router', 'CollateralReceived')

/** What token or router refused when an auction was settled: to the router, once they agree. */
export const deliverUnsold = provenMarketWrite(lendingOperations.deliverUnsold, {
  async build({ record, chain, body, tokens, refuse }) {
    const auctionId = BigInt(body.auctionId)
    const { block, venue, auction } = await readAuction(chain, record, auctionId)
    if (!venue) throw refuse('AUCTION_MODULE_NOT_SET')
    if (!auction) throw refuse('AUCTION_NOT_FOUND')
    if (auction.isActive || auction.remaining === 0n) throw refuse('NOTHING_UNSOLD')
    const amount = tokens(auction.remaining)
    return {
      block,
      signer: null,
      args: { call: call.prepare(venue, { auctionId }), functionName: call.functionName },
      confirmWith: { auctionId: body.auctionId },
      answer: {
        description: `Sends the ${amount} tokens that auction ${auctionId} did not sell to the router. Anybody may sign.`,
        auctionId: auctionId.toString(),
        venueAddress: venue,
        collateralRemaining: amount,
      },
    }
  },

  evidence: async ({ chain, market, body, refuse }) => ({
    target: await requireVenue(chain, market, refuse),
    kind: call.kind,
    candidates: [candidate(call, { auctionId: BigInt(body.auctionId) })],
  }),

  async along({ effect, transaction }, { market, refuse }) {
    const received = receptions(market.router, transaction.logs).find(
      (one) => one.effect.liquidationId === effect.liquidationId,
    )
    if (!received) throw refuse('TX_NOT_VERIFIED')
    return { seen: received.effect }
  },

  proven: ({ target, effect }, { tokens }, received) => ({
    auctionId: effect.auctionId.toString(),
    venueAddress: target,
    liquidationId: effect.liquidationId.toString(),
    marketLiquidationId: received.realizationId.toString(),
    collateralAmount: tokens(effect.collateral),
  }),
})
