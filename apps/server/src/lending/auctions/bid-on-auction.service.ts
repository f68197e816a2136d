import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import { settlementIn } from '../liquidations/settlement-receipt.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { eventsOf } from '../receipt-events.ts'
import { optionalAddress, requirePositive } from '../request-fields.ts'
import { gasLimitOf } from '../router/gas-limit.rules.ts'
import { approveStep, buildSteps } from '../steps.ts'
import { bidCall } from './auction.call.ts'
import { costUp, phaseOf } from './auction.rules.ts'
import { readAuction, requireVenue } from './venue-state.service.ts'

type BidBody = BodyOf<typeof lendingOperations.bidOnAuction>

/** What a market still claimed when it seized; that never changes. */
async function claimOf(chain: Chain, { address }: Market, realizationId: string): Promise<bigint> {
  const { results } = await chain.read([contractRead(address, abis.market, 'realization', [BigInt(realizationId)])])
  const [realization] = results
  if (!realization.ok) throw new ChainUnavailableError('the market did not answer')
  return realization.value.claim
}

/** Buying in an auction. */
export function createBidOnAuction({ clock, chains, intents }: LendingParts) {
  async function build(call: MarketCall, marketId: string, body: BidBody) {
    const record = await findDeployedMarket(call, marketId)
    const { market, wallets } = record
    const wanted = requirePositive('collateralAmount', body.collateralAmount, market.collateralDecimals)
    const most = body.maxCost === undefined ? null : requirePositive('maxCost', body.maxCost, market.borrowDecimals)
    const bidder = optionalAddress('bidderAddress', body.bidderAddress)
    const auctionId = BigInt(body.auctionId)
    const chain = chains.get(market.chainId)
    const { block, venue, auction } = await readAuction(chain, record, auctionId)
    if (!venue) throw new AppError('AUCTION_MODULE_NOT_SET')
    if (!auction) throw new AppError('AUCTION_NOT_FOUND')
    const phase = phaseOf(auction, block.time)
    if (phase === 'CLOSED') throw new AppError('AUCTION_NOT_ACTIVE')
    if (phase === 'EXPIRED')
      throw new AppError('AUCTION_EXPIRED', {
        extra: {
          endTime: Number(auction.endTime),
          settleWith: endpointAt(call.mountedAt, `/liquidations/${marketId}/settle-expired-auction`),
        },
      })
    const amount = wanted < auction.remaining ? wanted : auction.remaining
    const cost = costUp(amount, auction.price, market.collateralDecimals)
    const maxCost = most ?? cost
    const inCash = (value: bigint) => formatUnits(value, market.borrowDecimals)
    const shown = formatUnits(amount, market.collateralDecimals)
    const planned = [
      approveStep(
        market.borrowAsset,
        venue,
        maxCost,
        `Lets the venue take at most ${inCash(maxCost)} ${market.borrowSymbol}.`,
      ),
      {
        call: bidCall.prepare(venue, { auctionId, amount, maxCost }),
        functionName: bidCall.functionName,
        description: `Buys ${shown} ${market.collateralSymbol} at the price of the second in which it is mined.`,
      },
    ]
    const { built, calls } = await buildSteps(chain, bidder ?? wallets[0] ?? null, planned, clock)
    const data = {
      auctionId: auctionId.toString(),
      ...built,
      confirmStepIndex: 1,
      functionName: 'bidOnAuction' as const,
      venueAddress: venue,
      collateralAmount: shown,
      pricePerUnit: inCash(auction.price),
      estimatedCost: inCash(cost),
      maxCost: inCash(maxCost),
      borrowAssetSymbol: market.borrowSymbol,
      closesAuction: amount === auction.remaining,
      gasLimit: gasLimitOf(built.simulation),
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/liquidations/${marketId}/bid-on-auction`),
        field: 'txHash' as const,
        body: { auctionId: auctionId.toString(), txHash: null },
      },
    }
    return { data, block, calls }
  }

  async function confirm(call: MarketCall, marketId: string, body: BidBody & { txHash: string }) {
    const { market } = await findDeployedMarket(call, marketId)
    const auctionId = BigInt(body.auctionId)
    const chain = chains.get(market.chainId)
    const venue = await requireVenue(chain, market)
    const intent = { chain, pair: bidCall, target: venue, kind: 'venue' }
    const proof = await intents.confirm(call.tenant, intent, { auctionId }, body.txHash as Hex)
    const { effect, transaction, verifiedBy } = proof
    const inCash = (value: unknown) => formatUnits(BigInt(String(value)), market.borrowDecimals)
    const { logs } = transaction
    const closing = eventsOf('venue', venue, logs).find(
      ({ name, effect: said }) => name === 'AuctionSettled' && said.auctionId === effect.auctionId,
    )
    const realizationId = closing ? String(closing.effect.realizationId) : null
    const settled = realizationId && settlementIn(market.address, logs, realizationId, proof.logIndex)
    const data = {
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      auctionId: auctionId.toString(),
      venueAddress: venue,
      collateralPurchased: formatUnits(BigInt(String(effect.collateral)), market.collateralDecimals),
      amountPaid: inCash(effect.paid),
      pricePerUnit: inCash(effect.price),
      bidder: String(effect.bidder),
      auctionSettled: closing !== undefined,
    }
    if (!realizationId || !settled) return { data, block: transaction.block }
    const { proceeds, covered, requested, shortfall, surplus } = settled
    const claim = await claimOf(chain, market, realizationId)
    const outcome = {
      totalProceeds: inCash(proceeds),
      debtCovered: inCash(proceeds < claim ? proceeds : claim),
      marketLiquidationId: realizationId,
      shortfall: inCash(shortfall),
      reserve:
        requested === null
          ? null
          : { requested: inCash(requested), covered: inCash(covered), uncovered: inCash(requested - covered) },
      surplus: surplus.map((one) => ({ ...one, amount: inCash(one.amount) })),
    }
    return { data: { ...data, ...outcome }, block: transaction.block }
  }

  return { build, confirm }
}

export type BidOnAuction = ReturnType<typeof createBidOnAuction>
