import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Nominations } from './nominations.service.ts'

export const withdrawNominationRoute = (nominations: Nominations) =>
  route(lendingOperations.withdrawNomination, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? nominations.build(call, params.marketId, 'withdraw', body)
      : nominations.confirm(call, params.marketId, 'withdraw', { ...body, txHash })
  })
