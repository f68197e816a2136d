import { type Hex, zeroHash } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { endpointAt } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { acknowledgeAssetDataCall, acknowledgeByAdoptionCall } from './asset-data.call.ts'
import { findSnapshot, readAssetDataState } from './asset-data-state.service.ts'
import { createConfirmAssetData } from './confirm-asset-data.service.ts'
import type { AssetDataRequest, MarketAccess, OpenedMarket } from './market-access.service.ts'

/** What stands and may be acknowledged by the caller: the hash it reviewed, and nothing that came after it. */
function requireStanding({ view, authority, wallets }: OpenedMarket, reviewed: Hex) {
  const { record } = view
  const { acknowledgers } = authority
  if (!record) throw new AppError('FACTORY_UPGRADE_REQUIRED')
  if (authority.seekingCurator) throw new AppError('NOT_ADOPTED')
  const signer = acknowledgers.find((one) => wallets.includes(one))
  if (!signer) throw new AppError('NOT_ACKNOWLEDGER', { extra: { details: { acknowledgers } } })
  const { attested: standing, acknowledged, attestor, version } = record
  if (standing === null || attestor === null) throw new AppError('ASSET_DATA_NONE')
  const attestedAt = new Date((record.attestedAt ?? 0) * 1000).toISOString()
  if (standing !== reviewed) {
    const details = { reviewed, standing, standingVersion: version, attestedAt }
    throw new AppError('ASSET_DATA_STALE', { extra: { details } })
  }
  if (acknowledged === standing) throw new AppError('ACKNOWLEDGEMENT_CURRENT')
  return { signer, version, attestor, attestedAt, acknowledged }
}

/** The lender of record says that it has seen what stands: what it signs, then its proof. */
export function createAcknowledgement(parts: LendingParts, access: MarketAccess) {
  const { chains, writes } = parts
  const prove = createConfirmAssetData(parts, {
    pairs: [acknowledgeAssetDataCall, acknowledgeByAdoptionCall],
    signerField: 'curator',
    notBound: 'ACK_NOT_INSTANCE_BOUND',
  })

  async function build(request: AssetDataRequest, body: { contentHash: string }) {
    const { tenant, mountedAt } = request
    const contentHash = body.contentHash.toLowerCase() as Hex
    const opened = await access.open(request)
    if (contentHash === zeroHash) throw new AppError('INVALID_CONTENT_HASH')
    const { chainId, market, factory, block } = opened
    const { signer, version, attestor, attestedAt, acknowledged } = requireStanding(opened, contentHash)
    const stored = await findSnapshot(tenant, opened, contentHash)
    const intent = { chain: chains.get(chainId), pair: acknowledgeAssetDataCall, target: factory, kind: 'factory' }
    const built = await writes.build(intent, { market, contentHash }, signer, explainLending)
    const data = {
      ...built,
      marketAddress: market,
      signer,
      contentHash,
      version,
      attestor,
      attestedAt,
      previouslyAcknowledged: acknowledged,
      schemaVersion: stored?.schemaVersion ?? null,
      bundleAvailable: stored !== undefined,
      confirmWith: {
        endpoint: endpointAt(mountedAt, `/markets/${market}/asset-data/acknowledge/confirm`),
        field: 'txHash' as const,
      },
    }
    return { data, block, calls: [built.transaction] }
  }

  async function confirm(request: AssetDataRequest, txHash: string) {
    const { tenant } = request
    const { effect, signer, transaction, verifiedBy } = await prove(tenant, await access.open(request), txHash)
    const after = await access.open(request)
    const data = {
      txHash: transaction.hash,
      signer,
      ...(verifiedBy ? { verifiedBy } : {}),
      acknowledgement: { contentHash: String(effect.contentHash), version: Number(effect.version), curator: signer },
      assetData: await readAssetDataState(tenant, after),
    }
    return { data, block: after.block }
  }

  return { build, confirm }
}

export type Acknowledgement = ReturnType<typeof createAcknowledgement>
