import type { Route } from '../platform/http/route.ts'
import { freezeRelayerRoute } from './freeze-relayer.route.ts'
import { getRelayerRoute } from './get-relayer.route.ts'
import { listRelayedTransactionsRoute } from './list-relayed-transactions.route.ts'
import type { RelayerService as Service } from './relayer.service.ts'
import { setRelayerLimitsRoute } from './set-relayer-limits.route.ts'
import { unfreezeRelayerRoute } from './unfreeze-relayer.route.ts'

export { createRelayerOperator, type KeyRequest } from './operator.service.ts'
export type { RelayerService } from './relay.ts'
export { startRelayerJob } from './relayer.job.ts'
export { createRelayerService } from './relayer.service.ts'
export type { RelayerKeys } from './signers.ts'

export const relayerRoutes = (relayer: Service): Route[] => [
  getRelayerRoute(relayer),
  setRelayerLimitsRoute(relayer),
  freezeRelayerRoute(relayer),
  unfreezeRelayerRoute(relayer),
  listRelayedTransactionsRoute(relayer),
]
