import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { acknowledgeAssetData } from './acknowledge-asset-data.write.ts'
import { attestAssetData } from './attest-asset-data.write.ts'
import { confirmAcknowledgement } from './confirm-acknowledgement.write.ts'
import { confirmAttestation } from './confirm-attestation.write.ts'
import { getAssetDataRoute } from './get-asset-data.route.ts'
import { getAssetDataBundleRoute } from './get-asset-data-bundle.route.ts'
import { createMarketAccess } from './market-access.ts'
import { previewAssetDataRoute } from './preview-asset-data.route.ts'
import { createPreviewAssetData } from './preview-asset-data.service.ts'
import { createReadAssetData } from './read-asset-data.service.ts'

export * as bundlesStore from './bundles.store.ts'
export { currentBundle, profileRequired, requireBundle } from './current-bundle.ts'

export const assetDataRoutes = (parts: LendingParts): Route[] => {
  const assetData = createReadAssetData(createMarketAccess(parts))
  return [
    previewAssetDataRoute(createPreviewAssetData(parts)),
    getAssetDataRoute(assetData),
    getAssetDataBundleRoute(assetData),
    ...[attestAssetData, confirmAttestation, acknowledgeAssetData, confirmAcknowledgement].map((write) => write(parts)),
  ]
}
