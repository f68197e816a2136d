import { transactionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const rejectBuiltTransactionRoute = ({ built }: AccessService) =>
  administrativeRoute(transactionOperations.rejectBuiltTransaction, ({ tenant, caller, params, body }) =>
    built.reject(tenant, caller, params.transactionId, body.reason),
  )
