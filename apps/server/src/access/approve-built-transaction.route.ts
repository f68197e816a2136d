import { transactionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const approveBuiltTransactionRoute = ({ built }: AccessService) =>
  administrativeRoute(transactionOperations.approveBuiltTransaction, ({ tenant, caller, params }) =>
    built.approve(tenant, caller, params.transactionId),
  )
