import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { closeLoanRoute } from './close-loan.route.ts'
import { createCloseLoan } from './close-loan.service.ts'
import { quotePermitRoute } from './quote-permit.route.ts'
import { createQuotePermit } from './quote-permit.service.ts'
import { createRepay } from './repay.service.ts'
import { repayLoanRoute } from './repay-loan.route.ts'

export const repaymentRoutes = (parts: LendingParts): Route[] => [
  repayLoanRoute(createRepay(parts)),
  quotePermitRoute(createQuotePermit(parts)),
  closeLoanRoute(createCloseLoan(parts)),
]
