import { transactionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const getBuiltTransactionRoute = ({ built }: AccessService) =>
  route(transactionOperations.getBuiltTransaction, async ({ tenant, caller, params }) => ({
    data: await built.get(tenant, caller, params.transactionId),
  }))
