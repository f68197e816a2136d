import { lendingOperations } from '@tallystick/wire'
import { at, marketWrite } from '../core/index.ts'
import { confirmedNomination, planNomination } from './nominations.ts'

/** Lets a wallet adopt the market in one transaction. */
export const nominateCurator = marketWrite(lendingOperations.nominateCurator, {
  call: at('factory', 'nominateCurator', 'CuratorNominated'),

  async build(request) {
    const { isNominated, decided } = await planNomination(request, request.body, request.refuse)
    if (isNominated) throw request.refuse('ALREADY_NOMINATED')
    return decided
  },

  ...confirmedNomination,
})
