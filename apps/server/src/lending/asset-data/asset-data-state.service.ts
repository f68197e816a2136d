import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { actAs, type TenantDatabase } from '../../platform/db/database.ts'
import { readActiveImport } from '../../tokens/index.ts'
import type { Alongside } from '../../writes/index.ts'
import { statusOf } from './asset-data.rules.ts'
import * as store from './asset-data.store.ts'
import type { SealedBundle } from './bundle.rules.ts'
import * as bundles from './bundles.store.ts'
import { currentBundle } from './current-bundle.ts'
import type { OpenedMarket } from './market-access.ts'

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

/** What an instance's own token and profile would say of the market now. */
export async function readCurrentBundle(tenant: TenantDatabase, opened: OpenedMarket) {
  const { chainId, factory, view } = opened
  if (!view.deployment) return null
  const { collateralToken, collateralMode, priceSource } = view.deployment
  const [token] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, collateralToken))
  const { borrowAsset } = view
  return currentBundle(token, { chainId, factory, collateralToken, borrowAsset, collateralMode, priceSource })
}

/** The bytes behind a hash: what was built for the market, or what the instance itself built to deploy it. */
export async function findSnapshot(tenant: TenantDatabase, { chainId, market }: OpenedMarket, contentHash: Hex) {
  const [shared] = await tenant.read((sql) => bundles.findBundle(sql, chainId, market, contentHash))
  if (shared) return shared
  const [draft] = await tenant.read((sql) => bundles.findDraft(sql, tenant.instanceId, contentHash))
  return draft
}

/** The bytes are stored when the transaction is built: who reviews its hash can read them. */
export async function keepBundle(
  tenant: TenantDatabase,
  { chainId, market }: OpenedMarket,
  { contentHash, canonicalJson, bundle: { schemaVersion } }: SealedBundle,
  storedAt: Date,
): Promise<void> {
  await tenant.apart(async (sql) => {
    await actAs(sql, 'tally_chain')
    await bundles.storeBundle(sql, chainId, market, { contentHash, canonicalJson, schemaVersion, storedAt })
    await actAs(sql, 'tally_api')
  })
}

/** Built to deploy a market, the bytes were the instance's own; attested, everybody who may see the market reads them. */
export const sharing = ({ chainId, market }: OpenedMarket, stored: bundles.StoredBundle): Alongside => ({
  asChain: (sql) => bundles.storeBundle(sql, chainId, market, stored),
})

async function snapshotOf(
  tenant: TenantDatabase,
  opened: OpenedMarket,
  contentHash: Hex,
  fact: store.AssetDataFact | undefined,
) {
  const stored = await findSnapshot(tenant, opened, contentHash)
  return {
    contentHash,
    txHash: fact?.txHash ?? null,
    schemaVersion: stored?.schemaVersion ?? null,
    bundleAvailable: stored !== undefined,
    storedAt: stored?.storedAt.toISOString() ?? null,
  }
}

async function profileOf(tenant: TenantDatabase, opened: OpenedMarket) {
  const current = await readCurrentBundle(tenant, opened)
  if (!current) return null
  if (current instanceof AppError)
    return { available: false, currentHash: null, changedSinceAttestation: null, reason: current.code }
  const { contentHash, bundle } = current
  const { record } = opened.view
  return {
    available: true,
    currentHash: contentHash,
    changedSinceAttestation: record ? record.attested !== contentHash : null,
    schemaVersion: bundle.schemaVersion,
  }
}

/** What stands, who may change it, and what the viewer could do about it. */
export async function readAssetDataState(tenant: TenantDatabase, opened: OpenedMarket) {
  const { chainId, market, factory, wallets, view, authority } = opened
  const { record } = view
  const [facts, profile] = await Promise.all([
    tenant.read((sql) => store.listAssetDataFacts(sql, chainId, factory, market)),
    profileOf(tenant, opened),
  ])
  const latest = (operation: store.AssetDataFact['operation'], contentHash: Hex) =>
    facts.find((fact) => fact.operation === operation && fact.contentHash === contentHash)
  const attested = record?.attested
    ? await snapshotOf(tenant, opened, record.attested, latest('factory.AssetDataAttested', record.attested))
    : null
  const seen = record?.acknowledged ? latest('factory.AssetDataAcknowledged', record.acknowledged) : undefined
  const acknowledged = record?.acknowledged ? await snapshotOf(tenant, opened, record.acknowledged, seen) : null
  const holds = (address: string | null) => wallets.some((wallet) => wallet === address)
  const diverged = record ? record.attested !== record.acknowledged : null
  return {
    marketAddress: market,
    family: 'FUNGIBLE' as const,
    factory,
    factorySupport: record !== null,
    status: record ? statusOf(record) : null,
    record: record && { ...record, diverged: record.attested !== record.acknowledged },
    diverged,
    attested:
      attested && record?.attestor && record.attestedAt
        ? { ...attested, version: record.version, attestor: record.attestor, attestedAt: iso(record.attestedAt) }
        : null,
    acknowledged:
      acknowledged && record?.acknowledgedAt
        ? { ...acknowledged, version: seen ? Number(seen.version) : null, acknowledgedAt: iso(record.acknowledgedAt) }
        : null,
    authority,
    viewer: {
      wallets: [...wallets],
      canAttest: record !== null && holds(authority.attestor),
      canAcknowledge: record !== null && authority.acknowledgers.some(holds),
    },
    profile,
  }
}
