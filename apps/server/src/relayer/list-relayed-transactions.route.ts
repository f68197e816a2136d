import { relayerOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { RelayerService } from './relayer.service.ts'

export const listRelayedTransactionsRoute = (relayer: RelayerService) =>
  route(relayerOperations.listRelayedTransactions, async ({ tenant, query }) => ({
    data: await relayer.history(tenant, query),
  }))
