import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadAssetData } from './read-asset-data.service.ts'

export const getAssetDataRoute = (assetData: ReadAssetData) =>
  route(lendingOperations.getAssetData, ({ tenant, caller, mountedAt, params }) =>
    assetData.get({ tenant, instance: caller.instance, mountedAt, market: params.market }),
  )
