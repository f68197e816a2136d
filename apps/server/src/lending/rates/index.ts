import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getExitLiquidityRoute } from './get-exit-liquidity.route.ts'
import { getRateModeRoute } from './get-rate-mode.route.ts'
import { getTermConfigRoute } from './get-term-config.route.ts'
import { createReadRates } from './read-rates.service.ts'
import { setMaxFixedRate } from './set-max-fixed-rate.write.ts'
import { setRateMode } from './set-rate-mode.write.ts'
import { setReserveRatio } from './set-reserve-ratio.write.ts'
import { setTermConfig } from './set-term-config.write.ts'

export { type LoanBook, readLoanBook } from './loan-book.store.ts'
export { confirmedSetting, senderOf } from './setting.ts'

const writes = [setRateMode, setMaxFixedRate, setTermConfig, setReserveRatio]

export const ratesRoutes = (parts: LendingParts): Route[] => {
  const rates = createReadRates(parts)
  return [
    getRateModeRoute(rates),
    getTermConfigRoute(rates),
    getExitLiquidityRoute(rates),
    ...writes.map((write) => write(parts)),
  ]
}
