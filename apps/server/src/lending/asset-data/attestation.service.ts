import type { Hex } from 'viem'
import { zeroHash } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { actAs } from '../../platform/db/database.ts'
import { endpointAt } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { attestAssetDataCall, attestByDeploymentCall } from './asset-data.call.ts'
import { attestationNote } from './asset-data.rules.ts'
import { findSnapshot, readAssetDataState, readCurrentBundle } from './asset-data-state.service.ts'
import * as bundles from './bundles.store.ts'
import { createConfirmAssetData } from './confirm-asset-data.service.ts'
import { requireBundle } from './current-bundle.ts'
import type { AssetDataRequest, MarketAccess } from './market-access.service.ts'

/** From the profile of a token to a hash on chain: what the attestor signs, then its proof. */
export function createAttestation(parts: LendingParts, access: MarketAccess) {
  const { clock, chains, writes } = parts
  const prove = createConfirmAssetData(parts, {
    pairs: [attestAssetDataCall, attestByDeploymentCall],
    signerField: 'attestor',
    notBound: 'ATTEST_NOT_INSTANCE_BOUND',
  })

  async function build(request: AssetDataRequest) {
    const { tenant, mountedAt } = request
    const opened = await access.open(request)
    const { chainId, market, factory, wallets, view, authority, block } = opened
    const { attestor, attestorRole } = authority
    if (!view.record) throw new AppError('FACTORY_UPGRADE_REQUIRED')
    if (!attestor) throw new AppError('ATTESTOR_UNRECORDED')
    if (!wallets.includes(attestor))
      throw new AppError('NOT_ATTESTOR', { extra: { details: { attestor, role: attestorRole } } })
    const current = await readCurrentBundle(tenant, opened)
    if (!current) throw new AppError('FACTORY_UPGRADE_REQUIRED')
    const { contentHash, canonicalJson, bundle } = requireBundle(current)
    const { attested, acknowledged, version } = view.record
    if (contentHash === attested)
      throw new AppError('ATTESTATION_CURRENT', { extra: { details: { contentHash, version } } })

    const { schemaVersion } = bundle
    await tenant.apart(async (sql) => {
      await actAs(sql, 'tally_chain')
      await bundles.storeBundle(sql, chainId, market, {
        contentHash,
        canonicalJson,
        schemaVersion,
        storedAt: clock.now(),
      })
      await actAs(sql, 'tally_api')
    })
    const intent = { chain: chains.get(chainId), pair: attestAssetDataCall, target: factory, kind: 'factory' }
    const built = await writes.build(intent, { market, contentHash }, attestor, explainLending)
    const divergesAfter = acknowledged !== null
    const data = {
      ...built,
      marketAddress: market,
      signer: attestor,
      signerRole: attestorRole,
      contentHash,
      schemaVersion,
      canonicalJson,
      bundle,
      previousHash: attested,
      previousVersion: version,
      nextVersion: version + 1,
      acknowledged,
      divergesAfter,
      note: attestationNote(authority, divergesAfter),
      confirmWith: {
        endpoint: endpointAt(mountedAt, `/markets/${market}/asset-data/attest/confirm`),
        field: 'txHash' as const,
      },
    }
    return { data, block, calls: [built.transaction] }
  }

  async function confirm(request: AssetDataRequest, txHash: string) {
    const { tenant } = request
    const opened = await access.open(request)
    let bundleAvailable = false
    const proof = await prove(tenant, opened, txHash, async ({ effect }) => {
      const stored = await findSnapshot(tenant, opened, String(effect.contentHash) as Hex)
      bundleAvailable = stored !== undefined
      // Built to deploy a market, the bytes were the instance's own; attested, everybody who may see the market reads them.
      return stored ? { asChain: (sql) => bundles.storeBundle(sql, opened.chainId, opened.market, stored) } : {}
    })
    const { effect, signer, transaction, verifiedBy } = proof
    const after = await access.open(request)
    const data = {
      txHash: transaction.hash,
      signer,
      ...(verifiedBy ? { verifiedBy } : {}),
      attestation: {
        contentHash: String(effect.contentHash),
        previousHash: effect.previousHash === zeroHash ? null : String(effect.previousHash),
        version: Number(effect.version),
        attestor: signer,
        bundleAvailable,
      },
      assetData: await readAssetDataState(tenant, after),
    }
    return { data, block: after.block }
  }

  return { build, confirm }
}

export type Attestation = ReturnType<typeof createAttestation>
