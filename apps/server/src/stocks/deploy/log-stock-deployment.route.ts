import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { DeployStock } from './deploy-stock.service.ts'

export const logStockDeploymentRoute = (deploy: DeployStock) =>
  route(stocksOperations.logStockDeployment, ({ tenant, caller, body }) => deploy.log(tenant, caller.instance, body))
