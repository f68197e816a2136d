import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { DeployStock } from './deploy-stock.service.ts'

export const deployStockRoute = (deploy: DeployStock) =>
  route(stocksOperations.deployStock, ({ tenant, caller, mountedAt, body }) =>
    deploy.perform({ tenant, instance: caller.instance, endpoint: mountedAt }, body),
  )
