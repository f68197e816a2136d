import { lendingOperations } from '@tallystick/wire'
import { at, marketWrite } from '../core/index.ts'
import { confirmedNomination, planNomination } from './nominations.ts'

/** Takes a nomination back, as long as the market has no lender of record. */
export const withdrawNomination = marketWrite(lendingOperations.withdrawNomination, {
  call: at('factory', 'withdrawNomination', 'NominationWithdrawn'),

  async build(request) {
    const { isNominated, decided } = await planNomination(request, request.body, request.refuse)
    if (!isNominated) throw request.refuse('NOT_NOMINATED')
    return decided
  },

  ...confirmedNomination,
})
