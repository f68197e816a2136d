import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { allValues } from '../../platform/chain/contract-read.ts'
import type { Market } from '../market/market.store.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import { rateOffer } from '../market/offering.rules.ts'
import type { LendingParts } from '../parts.ts'
import { ownerBlock } from '../signer.reads.ts'
import { readOr } from '../unreadable.ts'
import { rateModelReads } from './rate-model.reads.ts'
import { setMaxFixedRateCall } from './set-max-fixed-rate.call.ts'
import { setRateModeCall } from './set-rate-mode.call.ts'
import { createSettings, requireCurator } from './setting.service.ts'

type RateModeBody = BodyOf<typeof lendingOperations.setRateMode>
type MaxFixedRateBody = BodyOf<typeof lendingOperations.setMaxFixedRate>

const FIXED = 2
const rateMode = { pair: setRateModeCall, kind: 'rateModel', path: 'rate-mode' } as const
const maxFixedRate = { pair: setMaxFixedRateCall, kind: 'rateModel', path: 'max-fixed-rate' } as const

/** How loans are priced, and how high a stamped rate may ever be: both belong to the owner of the rate model. */
export function createSetRates(parts: LendingParts) {
  const settings = createSettings(parts)

  async function readModel(market: Market) {
    const reading = parts.chains.get(market.chainId).read(rateModelReads(market))
    const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', reading)
    const [offer, ceiling, owner, , , term, operator] = results
    if (!term.ok || !operator.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const model = allValues([offer, ceiling, owner])
    if (!model) throw new AppError('MODEL_UNRESOLVED')
    requireCurator(operator.value)
    const ceilingBps = Number(model[1])
    return { block, owner, term: term.value, stampBps: model[0].fixedBps, ceilingBps }
  }

  return {
    async buildRateMode(call: MarketCall, marketId: string, body: RateModeBody) {
      if (body.rateMode === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'rateMode', message: 'is required' }])
      const wished = rateOffer(body)
      if ('refused' in wished) throw new AppError('INVALID_RATE_OFFERING', { detail: wished.refused })
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const { block, owner, term, ceilingBps } = await readModel(market)
      const { offer } = wished
      if (ceilingBps !== 0 && offer.fixedBps > ceilingBps)
        throw new AppError('RATE_ABOVE_MAX_FIXED', {
          detail: `The ceiling for stamped rates is ${ceilingBps} bps, and it only falls.`,
        })
      if (offer.mode === FIXED && term.maxLoanDuration === 0) throw new AppError('FIXED_RATE_REQUIRES_TERMS')
      const signer = ownerBlock('INTEREST_MODEL_OWNER', wallets, owner)
      const description = `Sets the rate mode to ${wished.rateMode}. Interest so far is settled at the rate in force.`
      return settings.build(call, rateMode, { marketId, market, args: offer, block, signer, description })
    },

    confirmRateMode: (call: MarketCall, marketId: string, txHash: string) =>
      settings.confirm(call, rateMode, marketId, txHash),

    async buildMaxFixedRate(call: MarketCall, marketId: string, { maxFixedRateBps }: MaxFixedRateBody) {
      if (maxFixedRateBps === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'maxFixedRateBps', message: 'is required' }])
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const { block, owner, stampBps, ceilingBps } = await readModel(market)
      if (ceilingBps !== 0 && maxFixedRateBps >= ceilingBps)
        throw new AppError('MAX_FIXED_RATE_ONLY_DECREASES', {
          detail: `The ceiling is ${ceilingBps} bps and only falls.`,
        })
      if (maxFixedRateBps < stampBps)
        throw new AppError('MAX_FIXED_RATE_BELOW_STAMP', {
          detail: `New loans are stamped with ${stampBps} bps now. Lower that rate first.`,
        })
      const signer = ownerBlock('INTEREST_MODEL_OWNER', wallets, owner)
      const description = `Lowers the ceiling for stamped rates to ${maxFixedRateBps} bps, for ever.`
      const args = { maxFixedBps: maxFixedRateBps }
      return settings.build(call, maxFixedRate, { marketId, market, args, block, signer, description })
    },

    confirmMaxFixedRate: (call: MarketCall, marketId: string, txHash: string) =>
      settings.confirm(call, maxFixedRate, marketId, txHash),
  }
}

export type SetRates = ReturnType<typeof createSetRates>
