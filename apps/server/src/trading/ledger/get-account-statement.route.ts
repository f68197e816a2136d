import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Statements } from './statement.service.ts'

export const getAccountStatementRoute = (statements: Statements) =>
  route(tradingOperations.getAccountStatement, ({ tenant, params, query }) =>
    statements.get(tenant, params.customerRef, query),
  )
