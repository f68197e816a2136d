import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'
import { getExitLiquidityRoute } from './get-exit-liquidity.route.ts'
import { getRateModeRoute } from './get-rate-mode.route.ts'
import { getTermConfigRoute } from './get-term-config.route.ts'
import { createReadRates } from './read-rates.service.ts'
import { setMaxFixedRateRoute } from './set-max-fixed-rate.route.ts'
import { setRateModeRoute } from './set-rate-mode.route.ts'
import { createSetRates } from './set-rates.service.ts'
import { setReserveRatioRoute } from './set-reserve-ratio.route.ts'
import { setTermConfigRoute } from './set-term-config.route.ts'
import { createSetTerms } from './set-terms.service.ts'

export const ratesRoutes = (parts: LendingParts): Route[] => {
  const rates = createReadRates(parts)
  const setRates = createSetRates(parts)
  const setTerms = createSetTerms(parts)
  return [
    getRateModeRoute(rates),
    setRateModeRoute(setRates),
    setMaxFixedRateRoute(setRates),
    getTermConfigRoute(rates),
    setTermConfigRoute(setTerms),
    setReserveRatioRoute(setTerms),
    getExitLiquidityRoute(rates),
  ]
}
