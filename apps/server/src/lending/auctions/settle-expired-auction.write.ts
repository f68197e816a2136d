import { lendingOperations } from '@tallystick/wire'
import { type Address, encodeFunctionData } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { TypedCall } from '../../platform/chain/typed-call.ts'
import { type ConfirmCandidate, candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { at, endpointAt, eventsAt, optionalAddress, provenMarketWrite, roleReads, roles } from '../core/index.ts'
import { phaseOf } from './auction.rules.ts'
import { readAuction, requireVenue } from './venue-state.service.ts'

const call = at('venue', 'settleExpiredAuction', 'AuctionExpired')
/** Token or router refused what was left: the loan is free all the same, and the venue keeps it. */
const kept = at('venue', 'settleExpiredAuction', 'UnsoldCollateralKept')
const receptions = eventsAt('router', 'CollateralReceived')

const DESCRIPTION = 'Makes the wallet a liquidator of the market.'

function roleGrant(market: Market, signer: Address) {
  const args = [roles.LIQUIDATOR_ROLE, signer] as const
  const data = encodeFunctionData({ abi: abis.market, functionName: 'grantRole', args })
  return { calldata: { to: market.address, data, description: DESCRIPTION } }
}

/** Whoever of them may settle while the market is paused; with none of them, the first is shown what it lacks. */
async function requireLiquidator(
  chain: Chain,
  market: Market,
  candidates: readonly Address[],
  refuse: Refuse<'LIQUIDATOR_ROLE_MISSING'>,
): Promise<Address | null> {
  const [first] = candidates
  if (!first) return null
  const { results } = await chain.read(roleReads(market.address, 'LIQUIDATOR_ROLE', candidates))
  if (results.some(({ ok }) => !ok)) throw new ChainUnavailableError('the market did not answer')
  const holder = candidates.find((_, index) => results[index]?.ok && results[index].value)
  if (holder) return holder
  throw refuse('LIQUIDATOR_ROLE_MISSING', {
    detail: `While the market is paused only its liquidators settle, and ${first} is none.`,
    extra: roleGrant(market, first),
  })
}

type Ended = EffectOf<typeof call> | EffectOf<typeof kept>
type EffectOf<C> = C extends TypedCall<never, infer Fields> ? Fields : never

const candidatesFor = (auctionId: bigint): ConfirmCandidate<Ended>[] => [
  candidate(call, { auctionId }),
  candidate(kept, { auctionId }),
]

/** Sending what an auction did not sell to the router. */
export const settleExpiredAuction = provenMarketWrite(lendingOperations.settleExpiredAuction, {
  async build({ record, market, chain, body, tokens, refuse }) {
    const named = optionalAddress('signerAddress', body.signerAddress)
    const auctionId = BigInt(body.auctionId)
    const { block, venue, auction, conditions } = await readAuction(chain, record, auctionId)
    if (!venue) throw refuse('AUCTION_MODULE_NOT_SET')
    if (!auction) throw refuse('AUCTION_NOT_FOUND')
    const phase = phaseOf(auction, block.time)
    if (phase === 'CLOSED') throw refuse('AUCTION_NOT_ACTIVE')
    if (phase === 'RUNNING') {
      const eligibleAt = new Date(Number(auction.endTime) * 1000).toISOString()
      throw refuse('AUCTION_NOT_EXPIRED', { detail: `The auction runs until ${eligibleAt}.`, extra: { eligibleAt } })
    }
    const candidates = named ? [named] : record.wallets
    const signer = conditions.isPaused
      ? await requireLiquidator(chain, market, candidates, refuse)
      : (candidates[0] ?? null)
    return {
      block,
      signer,
      args: { call: call.prepare(venue, { auctionId }), functionName: call.functionName },
      confirmWith: { auctionId: auctionId.toString() },
      answer: {
        success: true as const,
        auctionId: auctionId.toString(),
        venueAddress: venue,
        collateralRemaining: tokens(auction.remaining),
        signerAddress: signer,
      },
    }
  },

  evidence: async ({ chain, market, body, refuse }) => ({
    target: await requireVenue(chain, market, refuse),
    kind: call.kind,
    candidates: candidatesFor(BigInt(body.auctionId)),
  }),

  async along({ effect, transaction }, { market, refuse }) {
    if (!('liquidationId' in effect)) return { seen: null }
    const received = receptions(market.router, transaction.logs).find(
      (one) => one.effect.liquidationId === effect.liquidationId,
    )
    if (!received) throw refuse('TX_NOT_VERIFIED')
    return { seen: received.effect }
  },

  proven: ({ target, effect }, { tokens, marketId, mountedAt }, received) => ({
    auctionId: effect.auctionId.toString(),
    venueAddress: target,
    liquidationId: received?.liquidationId.toString() ?? null,
    marketLiquidationId: received?.realizationId.toString() ?? null,
    collateralAmount: tokens(effect.collateral),
    ...(received ? {} : { deliverWith: endpointAt(mountedAt, `/liquidations/${marketId}/deliver-unsold`) }),
  }),
})
