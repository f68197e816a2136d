import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getLoanRoute } from './get-loan.route.ts'
import { getLoanStatementRoute } from './get-loan-statement.route.ts'
import { getPositionRoute } from './get-position.route.ts'
import { getUserCollateralRoute } from './get-user-collateral.route.ts'
import { listOpenLoansRoute } from './list-open-loans.route.ts'
import { listPositionsRoute } from './list-positions.route.ts'
import { listUserLoansRoute } from './list-user-loans.route.ts'
import { createLoans } from './loans.service.ts'
import { createOpenLoans } from './open-loans.service.ts'
import { createPositions } from './positions.service.ts'
import { createStatements } from './statement.service.ts'

export { dueOf, healthWad } from './open-loans.rules.ts'
export { createOpenLoans, type OpenLoans } from './open-loans.service.ts'

export const positionsRoutes = (parts: LendingParts): Route[] => {
  const loans = createLoans(parts)
  const positions = createPositions(parts)
  return [
    getLoanRoute(loans),
    listUserLoansRoute(loans),
    getUserCollateralRoute(loans),
    listOpenLoansRoute(createOpenLoans(parts)),
    listPositionsRoute(positions),
    getPositionRoute(positions),
    getLoanStatementRoute(createStatements()),
  ]
}
