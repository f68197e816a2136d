import { lendingOperations } from '@tallystick/wire'
import { at, marketWrite, ownerBlock } from '../core/index.ts'
import { readModel } from './read-model.ts'
import { confirmedSetting, senderOf } from './setting.ts'

const call = at('rateModel', 'setMaxFixedRate', 'MaxFixedRateSet')

/** How high a stamped rate may ever be: it belongs to the owner of the rate model, and only falls. */
export const setMaxFixedRate = marketWrite(lendingOperations.setMaxFixedRate, {
  call,
  shape: 'flat',

  async build({ market, record, chain, body: { maxFixedRateBps }, refuse }) {
    const { block, owner, stampBps, ceilingBps } = await readModel(chain, market, refuse)
    if (ceilingBps !== 0 && maxFixedRateBps >= ceilingBps)
      throw refuse('MAX_FIXED_RATE_ONLY_DECREASES', { detail: `The ceiling is ${ceilingBps} bps and only falls.` })
    if (maxFixedRateBps < stampBps)
      throw refuse('MAX_FIXED_RATE_BELOW_STAMP', {
        detail: `New loans are stamped with ${stampBps} bps now. Lower that rate first.`,
      })
    const signer = ownerBlock('INTEREST_MODEL_OWNER', record.wallets, owner)
    const description = `Lowers the ceiling for stamped rates to ${maxFixedRateBps} bps, for ever.`
    return {
      block,
      signer: senderOf(signer),
      args: { newMaxFixedBps: BigInt(maxFixedRateBps) },
      answer: { ...signer, description },
    }
  },

  ...confirmedSetting(call.functionName),
})
