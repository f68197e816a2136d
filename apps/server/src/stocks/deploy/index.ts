import type { Route } from '../../platform/http/route.ts'
import type { StocksParts } from '../parts.ts'
import { deployStock } from './deploy-stock.write.ts'
import { logStockDeploymentRoute } from './log-stock-deployment.route.ts'
import { createLogDeployment } from './log-stock-deployment.service.ts'

export const deployRoutes = (parts: StocksParts): Route[] => [
  deployStock(parts),
  logStockDeploymentRoute(createLogDeployment(parts)),
]
