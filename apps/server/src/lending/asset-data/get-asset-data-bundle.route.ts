import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadAssetData } from './read-asset-data.service.ts'

export const getAssetDataBundleRoute = (assetData: ReadAssetData) =>
  route(lendingOperations.getAssetDataBundle, ({ tenant, caller, mountedAt, params, query }) =>
    assetData.bundle({ tenant, instance: caller.instance, mountedAt, market: params.market }, query.hash),
  )
