import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { eventsOf } from '../receipt-events.ts'
import { optionalAddress } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { roleReads, roles } from '../signer.reads.ts'
import { settleExpiredCall } from './auction.call.ts'
import { phaseOf } from './auction.rules.ts'
import { readAuction, requireVenue } from './venue-state.service.ts'

type SettleBody = BodyOf<typeof lendingOperations.settleExpiredAuction>

const DESCRIPTION = 'Makes the wallet a liquidator of the market.'

function roleMissing(market: Market, signer: Address): AppError {
  const args = [roles.LIQUIDATOR_ROLE, signer] as const
  const data = encodeFunctionData({ abi: abis.market, functionName: 'grantRole', args })
  return new AppError('LIQUIDATOR_ROLE_MISSING', {
    detail: `While the market is paused only its liquidators settle, and ${signer} is none.`,
    extra: { calldata: { to: market.address, data, description: DESCRIPTION } },
  })
}

/** Whoever of them may settle while the market is paused; with none of them, the first is told what it lacks. */
async function requireLiquidator(
  chain: Chain,
  market: Market,
  candidates: readonly Address[],
): Promise<Address | null> {
  const [first] = candidates
  if (!first) return null
  const { results } = await chain.read(roleReads(market.address, 'LIQUIDATOR_ROLE', candidates))
  if (results.some(({ ok }) => !ok)) throw new ChainUnavailableError('the market did not answer')
  const holder = candidates.find((_, index) => results[index]?.ok && results[index].value)
  if (!holder) throw roleMissing(market, first)
  return holder
}

/** Sending what an auction did not sell to the router. */
export function createSettleExpiredAuction({ chains, intents }: LendingParts) {
  async function build(call: MarketCall, marketId: string, body: SettleBody) {
    const record = await findDeployedMarket(call, marketId)
    const { market, wallets } = record
    const named = optionalAddress('signerAddress', body.signerAddress)
    const auctionId = BigInt(body.auctionId)
    const chain = chains.get(market.chainId)
    const { block, venue, auction, conditions } = await readAuction(chain, record, auctionId)
    if (!venue) throw new AppError('AUCTION_MODULE_NOT_SET')
    if (!auction) throw new AppError('AUCTION_NOT_FOUND')
    const phase = phaseOf(auction, block.time)
    if (phase === 'CLOSED') throw new AppError('AUCTION_NOT_ACTIVE')
    if (phase === 'RUNNING') {
      const eligibleAt = new Date(Number(auction.endTime) * 1000).toISOString()
      throw new AppError('AUCTION_NOT_EXPIRED', {
        detail: `The auction runs until ${eligibleAt}.`,
        extra: { eligibleAt },
      })
    }
    const candidates = named ? [named] : wallets
    const signer = conditions.isPaused ? await requireLiquidator(chain, market, candidates) : (candidates[0] ?? null)
    const intent = { chain, pair: settleExpiredCall, target: venue, kind: 'venue' }
    const built = await intents.build(intent, { auctionId }, signer, explainLending)
    const data = {
      success: true as const,
      auctionId: auctionId.toString(),
      ...built,
      venueAddress: venue,
      collateralRemaining: formatUnits(auction.remaining, market.collateralDecimals),
      signerAddress: signer,
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/liquidations/${marketId}/settle-expired-auction`),
        field: 'txHash' as const,
        body: { auctionId: auctionId.toString(), txHash: null },
      },
    }
    return { data, block, calls: [built.transaction] }
  }

  async function confirm(call: MarketCall, marketId: string, body: SettleBody & { txHash: string }) {
    const { market } = await findDeployedMarket(call, marketId)
    const auctionId = BigInt(body.auctionId)
    const chain = chains.get(market.chainId)
    const venue = await requireVenue(chain, market)
    const intent = { chain, pair: settleExpiredCall, target: venue, kind: 'venue' }
    const { effect, transaction, verifiedBy } = await intents.confirm(
      call.tenant,
      intent,
      { auctionId },
      body.txHash as Hex,
    )
    const liquidationId = String(effect.liquidationId)
    const received = eventsOf('router', market.router, transaction.logs).find(
      ({ name, effect: said }) => name === 'CollateralReceived' && said.liquidationId === liquidationId,
    )
    if (!received) throw new AppError('TX_NOT_VERIFIED')
    const data = {
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      auctionId: auctionId.toString(),
      venueAddress: venue,
      liquidationId,
      marketLiquidationId: String(received.effect.realizationId),
      collateralAmount: formatUnits(BigInt(String(effect.collateral)), market.collateralDecimals),
    }
    return { data, block: transaction.block }
  }

  return { build, confirm }
}

export type SettleExpiredAuction = ReturnType<typeof createSettleExpiredAuction>
