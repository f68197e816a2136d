import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'
import { addCollateralRoute } from './add-collateral.route.ts'
import { createAddCollateral } from './add-collateral.service.ts'
import { borrowMoreRoute } from './borrow-more.route.ts'
import { createBorrowMore } from './borrow-more.service.ts'
import { openLoanRoute } from './open-loan.route.ts'
import { createOpenLoan } from './open-loan.service.ts'
import { withdrawCollateralRoute } from './withdraw-collateral.route.ts'
import { createWithdrawCollateral } from './withdraw-collateral.service.ts'

export const loansRoutes = (parts: LendingParts): Route[] => [
  openLoanRoute(createOpenLoan(parts)),
  borrowMoreRoute(createBorrowMore(parts)),
  addCollateralRoute(createAddCollateral(parts)),
  withdrawCollateralRoute(createWithdrawCollateral(parts)),
]
