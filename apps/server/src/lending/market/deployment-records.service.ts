import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Alongside } from '../../writes/index.ts'
import type { SealedBundle } from '../asset-data/index.rules.ts'
import { bundlesStore } from '../asset-data/index.ts'
import { endpointAt, marketStore } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { contractsOf } from './deployed-market.ts'

type Choices = Parameters<typeof marketStore.findRecordFor>[3]

interface Place {
  readonly tenant: TenantDatabase
  readonly mountedAt: string
  readonly chainId: number
}

function marketExists(mountedAt: string, marketId: string): AppError {
  const archiveWith = endpointAt(mountedAt, `/markets/${marketId}/archive`)
  return new AppError('MARKET_EXISTS', { extra: { action: 'USE_EXISTING_MARKET', marketId, archiveWith } })
}

/** The record that the confirmation will complete; a new build of the same market takes the place of the old. */
export async function draftRecord(
  { clock, random }: LendingParts,
  { tenant, mountedAt, chainId }: Place,
  choices: Choices,
  { contentHash, canonicalJson, bundle }: SealedBundle,
): Promise<string> {
  const now = clock.now()
  return tenant.transaction(async (sql) => {
    await marketStore.lockRecords(sql, tenant.instanceId)
    const [found] = marketStore.asRecords(await marketStore.findRecordFor(sql, tenant.instanceId, chainId, choices))
    if (found?.market) throw marketExists(mountedAt, found.marketId)
    const marketId = found?.marketId ?? newId(clock, random)
    const created = { marketId, chainId, address: null, origin: 'DEPLOYED', createdAt: now } as const
    if (!found) await marketStore.insertRecord(sql, tenant.instanceId, { ...created, ...choices })
    const bytes = { contentHash, canonicalJson, schemaVersion: bundle.schemaVersion, storedAt: now }
    await bundlesStore.storeDraft(sql, tenant.instanceId, bytes)
    return marketId
  })
}

/** What a proven deployment leaves: the market once for everybody, with what was drafted about its asset, and the record of the instance. */
export async function recordDeployed(
  { clock, random }: LendingParts,
  { tenant, mountedAt, chainId }: Place,
  market: marketStore.Market,
  attested: string,
): Promise<{ readonly alongside: Alongside; readonly bundleAvailable: boolean }> {
  const { instanceId } = tenant
  const { address, collateralToken, borrowAsset, mode } = market
  const [draft] = await tenant.read((sql) => bundlesStore.findDraft(sql, instanceId, attested))
  const alongside: Alongside = {
    concerns: contractsOf(market),
    asChain: async (sql) => {
      await marketStore.insertMarket(sql, market)
      if (draft) await bundlesStore.storeBundle(sql, chainId, address, draft)
    },
    asTenant: async (sql) => {
      await marketStore.lockRecords(sql, instanceId)
      const [known] = marketStore.asRecords(await marketStore.findRecordByAddress(sql, instanceId, chainId, address))
      if (known) return
      const [place] = marketStore.asRecords(await marketStore.findRecordFor(sql, instanceId, chainId, market))
      if (place?.market) throw marketExists(mountedAt, place.marketId)
      if (place) return marketStore.giveAddress(sql, instanceId, place.marketId, address)
      const created = {
        marketId: newId(clock, random),
        chainId,
        address,
        origin: 'DEPLOYED',
        createdAt: clock.now(),
      } as const
      await marketStore.insertRecord(sql, instanceId, { ...created, collateralToken, borrowAsset, mode })
    },
  }
  return { alongside, bundleAvailable: draft !== undefined }
}

export async function requireRecorded({ tenant, chainId }: Place, address: Address): Promise<marketStore.MarketRecord> {
  const rows = await tenant.read((sql) => marketStore.findRecordByAddress(sql, tenant.instanceId, chainId, address))
  const [record] = marketStore.asRecords(rows)
  if (!record) throw new Error('a confirmed deployment left no record')
  return record
}
