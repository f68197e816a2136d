import { transactionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const reportBuiltTransactionRoute = ({ built }: AccessService) =>
  route(transactionOperations.reportBuiltTransaction, async ({ tenant, params, body }) => ({
    data: await built.report(tenant, params.transactionId, body.txHash),
  }))
