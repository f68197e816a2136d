import { lendingOperations } from '@tallystick/wire'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { approveStep } from '../../platform/chain/unsigned-call.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { at, endpointAt, eventsAt, optionalAddress, provenMarketWrite, requirePositive } from '../core/index.ts'
import { gasLimitOf } from '../router/index.rules.ts'
import { settlementIn } from '../router/index.ts'
import { costUp, phaseOf } from './auction.rules.ts'
import { readAuction, requireVenue } from './venue-state.service.ts'

const call = at('venue', 'bidOnAuction', 'AuctionBid')
const closings = eventsAt('venue', 'AuctionSettled')

/** What a market still claimed when it seized; that never changes. */
async function claimOf(chain: Chain, { address }: Market, realizationId: bigint): Promise<bigint> {
  const { results } = await chain.read([contractRead(address, abis.market, 'realization', [realizationId])])
  const [realization] = results
  if (!realization.ok) throw new ChainUnavailableError('the market did not answer')
  return realization.value.claim
}

/** Buying in an auction. */
export const bidOnAuction = provenMarketWrite(lendingOperations.bidOnAuction, {
  async build({ record, market, marketId, chain, mountedAt, body, cash, tokens, refuse }) {
    const wanted = requirePositive('collateralAmount', body.collateralAmount, market.collateralDecimals)
    const most = body.maxCost === undefined ? null : requirePositive('maxCost', body.maxCost, market.borrowDecimals)
    const bidder = optionalAddress('bidderAddress', body.bidderAddress)
    const auctionId = BigInt(body.auctionId)
    const { block, venue, auction } = await readAuction(chain, record, auctionId)
    if (!venue) throw refuse('AUCTION_MODULE_NOT_SET')
    if (!auction) throw refuse('AUCTION_NOT_FOUND')
    const phase = phaseOf(auction, block.time)
    if (phase === 'CLOSED') throw refuse('AUCTION_NOT_ACTIVE')
    if (phase === 'EXPIRED')
      throw refuse('AUCTION_EXPIRED', {
        extra: {
          endTime: Number(auction.endTime),
          settleWith: endpointAt(mountedAt, `/liquidations/${marketId}/settle-expired-auction`),
        },
      })
    const amount = wanted < auction.remaining ? wanted : auction.remaining
    const cost = costUp(amount, auction.price, market.collateralDecimals)
    const maxCost = most ?? cost
    const text = `Lets the venue take at most ${cash(maxCost)} ${market.borrowSymbol}.`
    return {
      block,
      signer: bidder ?? record.wallets[0] ?? null,
      args: { call: call.prepare(venue, { auctionId, amount, maxCost }), functionName: call.functionName },
      steps: {
        before: [approveStep(market.borrowAsset, venue, maxCost, text)],
        description: `Buys ${tokens(amount)} ${market.collateralSymbol} at the price of the second in which it is mined.`,
      },
      confirmWith: { auctionId: auctionId.toString() },
      answer: (simulation) => ({
        auctionId: auctionId.toString(),
        functionName: 'bidOnAuction' as const,
        venueAddress: venue,
        collateralAmount: tokens(amount),
        pricePerUnit: cash(auction.price),
        estimatedCost: cash(cost),
        maxCost: cash(maxCost),
        borrowAssetSymbol: market.borrowSymbol,
        closesAuction: amount === auction.remaining,
        gasLimit: gasLimitOf(simulation),
      }),
    }
  },

  evidence: async ({ chain, market, body, refuse }) => ({
    target: await requireVenue(chain, market, refuse),
    kind: call.kind,
    candidates: [candidate(call, { auctionId: BigInt(body.auctionId) })],
  }),

  async proven({ target: venue, effect, logIndex, transaction: { logs } }, { chain, market, cash, tokens }) {
    const closing = closings(venue, logs).find((one) => one.effect.auctionId === effect.auctionId)
    const bought = {
      auctionId: effect.auctionId.toString(),
      venueAddress: venue,
      collateralPurchased: tokens(effect.collateral),
      amountPaid: cash(effect.paid),
      pricePerUnit: cash(effect.price),
      bidder: effect.bidder,
      auctionSettled: closing !== undefined,
    }
    const realizationId = closing?.effect.realizationId
    const settled = realizationId && settlementIn(market.address, logs, realizationId, logIndex)
    if (!settled) return bought
    const { proceeds, covered, requested, shortfall, surplus } = settled
    const claim = await claimOf(chain, market, realizationId)
    return {
      ...bought,
      totalProceeds: cash(proceeds),
      debtCovered: cash(proceeds < claim ? proceeds : claim),
      marketLiquidationId: realizationId.toString(),
      shortfall: cash(shortfall),
      reserve:
        requested === null
          ? null
          : { requested: cash(requested), covered: cash(covered), uncovered: cash(requested - covered) },
      surplus: surplus.map((one) => ({ ...one, amount: cash(one.amount) })),
    }
  },
})
