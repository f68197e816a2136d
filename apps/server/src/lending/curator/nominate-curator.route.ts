import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Nominations } from './nominations.service.ts'

export const nominateCuratorRoute = (nominations: Nominations) =>
  route(lendingOperations.nominateCurator, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? nominations.build(call, params.marketId, 'nominate', body)
      : nominations.confirm(call, params.marketId, 'nominate', { ...body, txHash })
  })
