import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LogDeployment } from './log-stock-deployment.service.ts'

export const logStockDeploymentRoute = (log: LogDeployment) =>
  route(stocksOperations.logStockDeployment, ({ tenant, caller, body }) => log(tenant, caller.instance, body))
