import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { PreviewAssetData } from './preview-asset-data.service.ts'

export const previewAssetDataRoute = (preview: PreviewAssetData) =>
  route(lendingOperations.previewAssetData, ({ tenant, caller, query }) => preview.get(tenant, caller.instance, query))
