import { stocksOperations } from '@tallystick/wire'
import { legsRoute } from '../../platform/http/legs.ts'
import type { DeployStock } from './deploy-stock.service.ts'

/** The same proof serves a deployment that is logged afterwards, so its confirmation is not of this operation alone. */
export const deployStockRoute = (deploy: DeployStock) =>
  legsRoute(stocksOperations.deployStock, {
    build: ({ tenant, caller, mountedAt, body }) =>
      deploy.build({ tenant, instance: caller.instance, endpoint: mountedAt }, body),
    confirm: ({ tenant, caller, body }) => deploy.confirm(tenant, caller.instance, body),
  })
