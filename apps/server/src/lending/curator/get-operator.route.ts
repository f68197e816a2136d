import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetOperator } from './operator.service.ts'

export const getOperatorRoute = (operator: GetOperator) =>
  route(lendingOperations.getOperator, ({ tenant, caller, mountedAt, params }) =>
    operator({ tenant, mountedAt }, caller.instance, params.marketId),
  )
