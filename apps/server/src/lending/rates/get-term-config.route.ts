import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadRates } from './read-rates.service.ts'

export const getTermConfigRoute = (rates: ReadRates) =>
  route(lendingOperations.getTermConfig, ({ tenant, mountedAt, params }) =>
    rates.termConfig({ tenant, mountedAt }, params.marketId),
  )
