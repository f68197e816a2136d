import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { createHookRoute } from './create-hook.route.ts'
import { deleteHookRoute } from './delete-hook.route.ts'
import { createDeliveries } from './deliveries.service.ts'
import { getHookRoute } from './get-hook.route.ts'
import { createHooks } from './hooks.service.ts'
import { createLiens } from './liens.service.ts'
import { listDeliveriesRoute } from './list-deliveries.route.ts'
import { listHooksRoute } from './list-hooks.route.ts'
import { listLiensRoute } from './list-liens.route.ts'
import { redeliverRoute } from './redeliver.route.ts'
import { rotateHookSecretRoute } from './rotate-hook-secret.route.ts'
import { testHookRoute } from './test-hook.route.ts'
import { toggleHookRoute } from './toggle-hook.route.ts'
import { updateHookRoute } from './update-hook.route.ts'

export { openShortfalls } from './liens.store.ts'
export { startDeliveryJob, startWatchJob } from './watch.job.ts'

export const watchRoutes = (parts: LendingParts): Route[] => {
  const hooks = createHooks(parts)
  const deliveries = createDeliveries(parts)
  return [
    listLiensRoute(createLiens(parts)),
    createHookRoute(hooks),
    listHooksRoute(hooks),
    getHookRoute(hooks),
    updateHookRoute(hooks),
    toggleHookRoute(hooks),
    rotateHookSecretRoute(hooks),
    deleteHookRoute(hooks),
    testHookRoute(deliveries),
    listDeliveriesRoute(deliveries),
    redeliverRoute(deliveries),
  ]
}
