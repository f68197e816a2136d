import { lendingOperations } from '@tallystick/wire'
import { plannedCall } from '../../platform/chain/unsigned-call.ts'
import { attestationNote } from './asset-data.rules.ts'
import { keepBundle, readCurrentBundle } from './asset-data-state.service.ts'
import { assetDataBuild, attestCall } from './asset-data-write.ts'
import { requireBundle } from './current-bundle.ts'

/** From the profile of a token to a hash on chain: what the attestor signs. */
export const attestAssetData = assetDataBuild(lendingOperations.attestAssetData, {
  confirmedBy: lendingOperations.confirmAttestation,

  async build(request) {
    const { tenant, market, factory, wallets, view, authority, block, now, refuse } = request
    const { attestor, attestorRole } = authority
    if (!view.record) throw refuse('FACTORY_UPGRADE_REQUIRED')
    if (!attestor) throw refuse('ATTESTOR_UNRECORDED')
    if (!wallets.includes(attestor))
      throw refuse('NOT_ATTESTOR', { extra: { details: { attestor, role: attestorRole } } })
    const current = await readCurrentBundle(tenant, request)
    if (!current) throw refuse('FACTORY_UPGRADE_REQUIRED')
    const sealed = requireBundle(current)
    const { contentHash, canonicalJson, bundle } = sealed
    const { attested, acknowledged, version } = view.record
    if (contentHash === attested) throw refuse('ATTESTATION_CURRENT', { extra: { details: { contentHash, version } } })
    await keepBundle(tenant, request, sealed, now)
    const divergesAfter = acknowledged !== null
    return {
      block,
      signer: attestor,
      args: plannedCall(attestCall, factory, { market, contentHash }),
      answer: {
        marketAddress: market,
        signer: attestor,
        signerRole: attestorRole,
        contentHash,
        schemaVersion: bundle.schemaVersion,
        canonicalJson,
        bundle,
        previousHash: attested,
        previousVersion: version,
        nextVersion: version + 1,
        acknowledged,
        divergesAfter,
        note: attestationNote(authority, divergesAfter),
      },
    }
  },
})
