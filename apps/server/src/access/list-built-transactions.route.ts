import { transactionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const listBuiltTransactionsRoute = ({ built }: AccessService) =>
  route(transactionOperations.listBuiltTransactions, async ({ tenant, query }) => ({
    data: await built.list(tenant, query),
  }))
