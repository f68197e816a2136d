import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetStatement } from './statement.service.ts'

export const getLoanStatementRoute = (getStatement: GetStatement) =>
  route(lendingOperations.getLoanStatement, ({ tenant, mountedAt, params }) =>
    getStatement({ tenant, mountedAt }, params.marketId, params.positionId),
  )
