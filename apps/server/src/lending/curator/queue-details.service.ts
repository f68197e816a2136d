import { AppError } from '../../platform/app-error.ts'
import type { AssetBundle } from '../asset-data/index.rules.ts'
import type { LendingParts } from '../parts.ts'
import { generationOf } from '../registers/index.rules.ts'
import { disagreements, shownAttestation } from './asset-data-review.rules.ts'
import { findCandidate, prepareCandidate } from './candidate-market.ts'
import { orNull } from './factory-entry.rules.ts'
import { findReviewedRecord, type ReviewedRecord } from './known-markets.store.ts'
import { offeringOf } from './offering.rules.ts'
import { gateOf, pendingRow } from './pending-row.rules.ts'
import { readPublicRecords } from './public-records.ts'
import { readQueueDetails } from './queue-details.reads.ts'
import type { QueueRequest } from './queue-request.ts'

const feeSplit = {
  infrastructureBps: 1500,
  operatorBps: 800,
  distributorBps: 500,
  ofBase: 'AFTER_INFRASTRUCTURE' as const,
  fixed: true as const,
}

function termsStatus({ termsVersion, termsHash, termsAuthor }: ReviewedRecord) {
  const isPublished = termsVersion !== null
  return {
    status: isPublished ? ('PUBLISHED' as const) : ('AWAITING_LENDER' as const),
    version: termsVersion,
    contentHash: termsHash,
    curatorAddress: termsAuthor,
    reason: isPublished ? null : 'The lender of record publishes the terms of use once it has adopted the market.',
  }
}

/** What a lender reviews before it adopts a market. */
export function createQueueDetails({ chains }: LendingParts) {
  return async function details(request: QueueRequest, market: string) {
    const { tenant, instance } = request
    const prepared = await prepareCandidate(request, market)
    const { wallets } = prepared
    if (wallets.length === 0) throw new AppError('WALLET_NOT_CONFIGURED')
    const found = await findCandidate(chains.get(request.instance.chainId), request, prepared)
    const { entry } = found
    const isParty = [entry.deployer, entry.curator, ...entry.candidates].some((one) => one && wallets.includes(one))
    if (!isParty && !entry.isOpenToAnyCurator) throw new AppError('NOT_NOMINATED')
    if (!isParty && !instance.lenderApproved) throw new AppError('CURATOR_NOT_APPROVED')

    const { borrowerRegistry, assetData } = found
    const chain = chains.get(instance.chainId)
    const { collateral, borrow, tokenRegistry, rates, register } = await readQueueDetails(chain, {
      ...entry,
      borrowerRegistry,
    })
    const record = await readPublicRecords(tenant, (sql) =>
      findReviewedRecord(sql, instance.chainId, entry.address, assetData.attested),
    )
    const bundle = record.canonicalJson === null ? null : (JSON.parse(record.canonicalJson) as AssetBundle)
    const names = { collateral, isin: prepared.known?.collateralIsin ?? null, borrow }
    const data = {
      market: {
        ...pendingRow(
          entry,
          names,
          gateOf(borrowerRegistry, () => register),
        ),
        generation: generationOf(found.version),
        proposedProviderRegistry: entry.proposedProviderRegistry,
      },
      isBank: instance.lenderApproved,
      wallets,
      termsStatus: termsStatus(record),
      assetData: shownAttestation(assetData, record.schemaVersion),
      offering: offeringOf(found, rates),
      feeSplit,
      collateralToken: {
        address: entry.collateralToken,
        onchain: { ...collateral, identityRegistry: tokenRegistry ? orNull(tokenRegistry) : null },
        issuerProvided: bundle?.profile ?? null,
      },
      disagreements: bundle ? disagreements(bundle, entry, collateral) : [],
    }
    return { data, block: found.block }
  }
}

export type QueueDetails = ReturnType<typeof createQueueDetails>
