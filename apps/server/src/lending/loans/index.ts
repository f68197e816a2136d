import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { addCollateral } from './add-collateral.write.ts'
import { borrowMore } from './borrow-more.write.ts'
import { openLoan } from './open-loan.write.ts'
import { withdrawCollateral } from './withdraw-collateral.write.ts'

export { CLAIM_ACTION, forecastRelease, wasEscrowed } from './collateral-release.ts'
export {
  answered,
  freshPriceReads,
  loanRead,
  loanTermsRead,
  realizationTermsOf,
  requireFreshPrice,
  requireLoan,
  requireOpenLoan,
} from './loan-questions.ts'

export const loansRoutes = (parts: LendingParts): Route[] =>
  [openLoan, borrowMore, addCollateral, withdrawCollateral].map((write) => write(parts))
