import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { acceptCuratorRoleRoute } from './accept-curator-role.route.ts'
import { createAcceptMarket } from './accept-market.service.ts'
import { createAccessRoles } from './access-role.service.ts'
import { confirmAcceptanceRoute } from './confirm-acceptance.route.ts'
import { createConfirmAcceptance } from './confirm-acceptance.service.ts'
import { getAccessRoleRoute } from './get-access-role.route.ts'
import { createGetAccessRole } from './get-access-role.service.ts'
import { getHandoverRoute } from './get-handover.route.ts'
import { getOperatorRoute } from './get-operator.route.ts'
import { getQueuedMarketRoute } from './get-queued-market.route.ts'
import { createHandover } from './handover.service.ts'
import { listNominationsRoute } from './list-nominations.route.ts'
import { listPendingMarketsRoute } from './list-pending-markets.route.ts'
import { listQueuedMarketsRoute } from './list-queued-markets.route.ts'
import { nominateCuratorRoute } from './nominate-curator.route.ts'
import { createNominations } from './nominations.service.ts'
import { createGetOperator } from './operator.service.ts'
import { createOperatorWallet } from './operator-wallet.service.ts'
import { createQueue } from './queue.service.ts'
import { createQueueDetails } from './queue-details.service.ts'
import { setAccessRoleRoute } from './set-access-role.route.ts'
import { setLiquidatorRoleRoute } from './set-liquidator-role.route.ts'
import { setOperatorWalletRoute } from './set-operator-wallet.route.ts'
import { withdrawNominationRoute } from './withdraw-nomination.route.ts'

export const curatorRoutes = (parts: LendingParts): Route[] => {
  const queue = createQueue(parts)
  const nominations = createNominations(parts)
  const accessRoles = createAccessRoles(parts)
  return [
    listPendingMarketsRoute(queue),
    listQueuedMarketsRoute(queue),
    getQueuedMarketRoute(createQueueDetails(parts)),
    listNominationsRoute(nominations),
    nominateCuratorRoute(nominations),
    withdrawNominationRoute(nominations),
    acceptCuratorRoleRoute(createAcceptMarket(parts)),
    confirmAcceptanceRoute(createConfirmAcceptance(parts)),
    getHandoverRoute(createHandover(parts)),
    getOperatorRoute(createGetOperator(parts)),
    setOperatorWalletRoute(createOperatorWallet(parts)),
    setAccessRoleRoute(accessRoles),
    getAccessRoleRoute(createGetAccessRole(parts)),
    setLiquidatorRoleRoute(accessRoles),
  ]
}
