import { lendingOperations } from '@tallystick/wire'
import { at, marketWrite } from '../core/index.ts'
import { planSwitch } from './pause.ts'

/** The emergency stop of a market: new money stands still, repayment and withdrawal go on. */
export const pauseMarket = marketWrite(lendingOperations.pauseMarket, {
  call: at('market', 'pause', 'Paused'),

  async build(request) {
    const { isPaused, decided } = await planSwitch(request, request.refuse)
    if (isPaused) throw request.refuse('ALREADY_PAUSED')
    return decided
  },

  expect: () => ({}),

  // The event names who held the role, also where a Safe made the call.
  proven: ({ effect }) => ({ signedBy: effect.account, paused: true as const }),
})
