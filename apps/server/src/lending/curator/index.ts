import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { acceptCuratorRole } from './accept-curator-role.write.ts'
import { confirmAcceptance } from './confirm-acceptance.write.ts'
import { getAccessRoleRoute } from './get-access-role.route.ts'
import { createGetAccessRole } from './get-access-role.service.ts'
import { getHandoverRoute } from './get-handover.route.ts'
import { getOperatorRoute } from './get-operator.route.ts'
import { getQueuedMarketRoute } from './get-queued-market.route.ts'
import { createHandover } from './handover.service.ts'
import { listNominationsRoute } from './list-nominations.route.ts'
import { listPendingMarketsRoute } from './list-pending-markets.route.ts'
import { listQueuedMarketsRoute } from './list-queued-markets.route.ts'
import { nominateCurator } from './nominate-curator.write.ts'
import { createNominations } from './nominations.service.ts'
import { createGetOperator } from './operator.service.ts'
import { createQueue } from './queue.service.ts'
import { createQueueDetails } from './queue-details.service.ts'
import { setAccessRole } from './set-access-role.write.ts'
import { setLiquidatorRole } from './set-liquidator-role.write.ts'
import { setOperatorWallet } from './set-operator-wallet.write.ts'
import { withdrawNomination } from './withdraw-nomination.write.ts'

const writes = [
  acceptCuratorRole,
  confirmAcceptance,
  nominateCurator,
  withdrawNomination,
  setOperatorWallet,
  setAccessRole,
  setLiquidatorRole,
]

export const curatorRoutes = (parts: LendingParts): Route[] => {
  const queue = createQueue(parts)
  return [
    listPendingMarketsRoute(queue),
    listQueuedMarketsRoute(queue),
    getQueuedMarketRoute(createQueueDetails(parts)),
    listNominationsRoute(createNominations(parts)),
    getHandoverRoute(createHandover(parts)),
    getOperatorRoute(createGetOperator(parts)),
    getAccessRoleRoute(createGetAccessRole(parts)),
    ...writes.map((write) => write(parts)),
  ]
}
