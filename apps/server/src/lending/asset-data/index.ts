import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { acknowledgeAssetDataRoute } from './acknowledge-asset-data.route.ts'
import { createAcknowledgement } from './acknowledgement.service.ts'
import { attestAssetDataRoute } from './attest-asset-data.route.ts'
import { createAttestation } from './attestation.service.ts'
import { confirmAcknowledgementRoute } from './confirm-acknowledgement.route.ts'
import { confirmAttestationRoute } from './confirm-attestation.route.ts'
import { getAssetDataRoute } from './get-asset-data.route.ts'
import { getAssetDataBundleRoute } from './get-asset-data-bundle.route.ts'
import { createMarketAccess } from './market-access.service.ts'
import { previewAssetDataRoute } from './preview-asset-data.route.ts'
import { createPreviewAssetData } from './preview-asset-data.service.ts'
import { createReadAssetData } from './read-asset-data.service.ts'

export * as bundlesStore from './bundles.store.ts'
export { currentBundle, profileRequired, requireBundle } from './current-bundle.ts'

export const assetDataRoutes = (parts: LendingParts): Route[] => {
  const access = createMarketAccess(parts)
  const assetData = createReadAssetData(access)
  const attestation = createAttestation(parts, access)
  const acknowledgement = createAcknowledgement(parts, access)
  return [
    previewAssetDataRoute(createPreviewAssetData(parts)),
    getAssetDataRoute(assetData),
    getAssetDataBundleRoute(assetData),
    attestAssetDataRoute(attestation),
    confirmAttestationRoute(attestation),
    acknowledgeAssetDataRoute(acknowledgement),
    confirmAcknowledgementRoute(acknowledgement),
  ]
}
