import { lendingOperations } from '@tallystick/wire'
import { at, marketWrite, ownerBlock } from '../core/index.ts'
import { rateOffer } from '../market/index.rules.ts'
import { readModel } from './read-model.ts'
import { confirmedSetting, senderOf } from './setting.ts'

const FIXED = 2
const call = at('rateModel', 'setRateMode', 'RateModeSet')

/** How loans are priced: it belongs to the owner of the rate model. */
export const setRateMode = marketWrite(lendingOperations.setRateMode, {
  call,
  shape: 'flat',

  async build({ market, record, chain, body, refuse }) {
    const offering = rateOffer(body)
    if ('refused' in offering) throw refuse('INVALID_RATE_OFFERING', { detail: offering.refused })
    const { block, owner, term, ceilingBps } = await readModel(chain, market, refuse)
    const { rateMode, offer } = offering
    if (ceilingBps !== 0 && offer.fixedBps > ceilingBps)
      throw refuse('RATE_ABOVE_MAX_FIXED', {
        detail: `The ceiling for stamped rates is ${ceilingBps} bps, and it only falls.`,
      })
    if (offer.mode === FIXED && term.maxLoanDuration === 0) throw refuse('FIXED_RATE_REQUIRES_TERMS')
    const signer = ownerBlock('INTEREST_MODEL_OWNER', record.wallets, owner)
    const description = `Sets the rate mode to ${rateMode}. Interest so far is settled at the rate in force.`
    return {
      block,
      signer: senderOf(signer),
      args: {
        mode: offer.mode,
        floorBps: BigInt(offer.floorBps),
        capBps: BigInt(offer.capBps),
        fixedBps: BigInt(offer.fixedBps),
      },
      answer: { ...signer, description },
    }
  },

  ...confirmedSetting(call.functionName),
})
