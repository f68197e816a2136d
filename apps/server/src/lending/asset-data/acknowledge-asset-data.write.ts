import { type LegCodeOf, lendingOperations } from '@tallystick/wire'
import { type Hex, zeroHash } from 'viem'
import type { AppCode, Refuse } from '../../platform/app-error.ts'
import { plannedCall } from '../../platform/chain/unsigned-call.ts'
import { findSnapshot } from './asset-data-state.service.ts'
import { acknowledgeCall, assetDataBuild } from './asset-data-write.ts'
import type { OpenedMarket } from './market-access.ts'

type Codes = LegCodeOf<typeof lendingOperations.acknowledgeAssetData, 'build'> & AppCode

/** What stands and may be acknowledged by the caller: the hash it reviewed, and nothing that came after it. */
function requireStanding({ view, authority, wallets }: OpenedMarket, reviewed: Hex, refuse: Refuse<Codes>) {
  const { record } = view
  const { acknowledgers } = authority
  if (!record) throw refuse('FACTORY_UPGRADE_REQUIRED')
  if (authority.seekingCurator) throw refuse('NOT_ADOPTED')
  const signer = acknowledgers.find((one) => wallets.includes(one))
  if (!signer) throw refuse('NOT_ACKNOWLEDGER', { extra: { details: { acknowledgers } } })
  const { attested: standing, acknowledged, attestor, version } = record
  if (standing === null || attestor === null) throw refuse('ASSET_DATA_NONE')
  const attestedAt = new Date((record.attestedAt ?? 0) * 1000).toISOString()
  if (standing !== reviewed) {
    const details = { reviewed, standing, standingVersion: version, attestedAt }
    throw refuse('ASSET_DATA_STALE', { extra: { details } })
  }
  if (acknowledged === standing) throw refuse('ACKNOWLEDGEMENT_CURRENT')
  return { signer, version, attestor, attestedAt, previouslyAcknowledged: acknowledged }
}

/** The lender of record says that it has seen what stands. */
export const acknowledgeAssetData = assetDataBuild(lendingOperations.acknowledgeAssetData, {
  confirmedBy: lendingOperations.confirmAcknowledgement,

  async build(request) {
    const { tenant, market, factory, block, body, refuse } = request
    const contentHash = body.contentHash.toLowerCase() as Hex
    if (contentHash === zeroHash) throw refuse('INVALID_CONTENT_HASH')
    const standing = requireStanding(request, contentHash, refuse)
    const stored = await findSnapshot(tenant, request, contentHash)
    return {
      block,
      signer: standing.signer,
      args: plannedCall(acknowledgeCall, factory, { market, contentHash }),
      answer: {
        marketAddress: market,
        contentHash,
        ...standing,
        schemaVersion: stored?.schemaVersion ?? null,
        bundleAvailable: stored !== undefined,
      },
    }
  },
})
