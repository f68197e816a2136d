import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { DeployMarket } from './deploy-market.service.ts'

export const deployMarketRoute = (deploy: DeployMarket) =>
  route(lendingOperations.deployMarket, ({ tenant, caller, mountedAt, body }) => {
    const request = { tenant, instance: caller.instance, mountedAt }
    const { txHash } = body
    return txHash === undefined ? deploy.build(request, body) : deploy.confirm(request, { ...body, txHash })
  })
