import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Acknowledgement } from './acknowledgement.service.ts'

export const acknowledgeAssetDataRoute = (acknowledgement: Acknowledgement) =>
  route(lendingOperations.acknowledgeAssetData, ({ tenant, caller, mountedAt, params, body }) =>
    acknowledgement.build({ tenant, instance: caller.instance, mountedAt, market: params.market }, body),
  )
