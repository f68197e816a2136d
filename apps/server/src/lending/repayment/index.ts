import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { closeLoan } from './close-loan.write.ts'
import { quotePermitRoute } from './quote-permit.route.ts'
import { createQuotePermit } from './quote-permit.service.ts'
import { repayLoan } from './repay-loan.write.ts'

export const repaymentRoutes = (parts: LendingParts): Route[] => [
  repayLoan(parts),
  quotePermitRoute(createQuotePermit(parts)),
  closeLoan(parts),
]
