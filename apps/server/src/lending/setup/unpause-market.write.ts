import { lendingOperations } from '@tallystick/wire'
import { at, marketWrite } from '../core/index.ts'
import { planSwitch } from './pause.ts'

/** Lets new money move again. */
export const unpauseMarket = marketWrite(lendingOperations.unpauseMarket, {
  call: at('market', 'unpause', 'Unpaused'),

  async build(request) {
    const { isPaused, decided } = await planSwitch(request, request.refuse)
    if (!isPaused) throw request.refuse('NOT_PAUSED')
    return decided
  },

  expect: () => ({}),

  // The event names who held the role, also where a Safe made the call.
  proven: ({ effect }) => ({ signedBy: effect.account, paused: false as const }),
})
