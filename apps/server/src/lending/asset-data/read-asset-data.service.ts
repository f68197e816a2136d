import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import * as store from './asset-data.store.ts'
import { findSnapshot, readAssetDataState } from './asset-data-state.service.ts'
import { type AssetBundle, hashOf } from './bundle.rules.ts'
import type { AssetDataRequest, MarketAccess, OpenedMarket } from './market-access.ts'

/** What is known about a market's asset data, and the bytes themselves. */
export function createReadAssetData(access: MarketAccess) {
  async function attestationOf({ tenant }: AssetDataRequest, opened: OpenedMarket, contentHash: Hex) {
    const { chainId, factory, market, view } = opened
    const { record } = view
    if (record?.attested === contentHash) return { version: record.version, attestor: record.attestor }
    const facts = await tenant.read((sql) => store.listAssetDataFacts(sql, chainId, factory, market))
    const known = facts.find(
      (fact) => fact.operation === 'factory.AssetDataAttested' && fact.contentHash === contentHash,
    )
    return known ? { version: Number(known.version), attestor: known.attestor } : { version: null, attestor: null }
  }

  return {
    async get(request: AssetDataRequest) {
      const opened = await access.open(request)
      const { origin, block } = opened
      return { data: { ...(await readAssetDataState(request.tenant, opened)), origin }, block }
    },

    async bundle(request: AssetDataRequest, hash: string | undefined) {
      const opened = await access.open(request)
      const { record } = opened.view
      if (!record) throw new AppError('FACTORY_UPGRADE_REQUIRED')
      const contentHash = (hash?.toLowerCase() as Hex | undefined) ?? record.attested
      if (!contentHash) throw new AppError('ASSET_DATA_NONE')
      const stored = await findSnapshot(request.tenant, opened, contentHash)
      if (!stored) throw new AppError('SNAPSHOT_NOT_FOUND')
      const rehash = hashOf(stored.canonicalJson)
      if (rehash !== contentHash) throw new AppError('SNAPSHOT_CORRUPT')
      const data = {
        marketAddress: opened.market,
        contentHash,
        schemaVersion: '1.0.0' as const,
        canonicalJson: stored.canonicalJson,
        // What hashes to the content hash was written by us, in this form.
        bundle: JSON.parse(stored.canonicalJson) as AssetBundle,
        ...(await attestationOf(request, opened, contentHash)),
        storedAt: stored.storedAt.toISOString(),
        standing: record.attested === contentHash,
        acknowledged: record.acknowledged === contentHash,
        hashing: 'keccak256(utf8(canonicalJson))' as const,
        verification: { rehash, matches: true as const },
      }
      return { data, block: opened.block }
    },
  }
}

export type ReadAssetData = ReturnType<typeof createReadAssetData>
