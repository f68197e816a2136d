import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadRates } from './read-rates.service.ts'

export const getRateModeRoute = (rates: ReadRates) =>
  route(lendingOperations.getRateMode, ({ tenant, mountedAt, params }) =>
    rates.rateMode({ tenant, mountedAt }, params.marketId),
  )
