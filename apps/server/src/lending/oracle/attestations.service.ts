import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { actAs } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import * as store from './attestations.store.ts'
import { verifyRead } from './oracle.reads.ts'
import { asInstant, asPrice } from './oracle.rules.ts'
import { asSignedPrice } from './oracle-status.service.ts'
import { verdict } from './verdict.ts'

type SignedBody = BodyOf<typeof lendingOperations.recordPriceAttestation>

/** What an attestation shows of itself, wherever it is shown. */
export const attestationFields = ({ pushedTxHash, pushedTime, ...row }: store.AttestationRow) => ({
  id: row.id,
  attestedAt: asInstant(row.attestedAt),
  validUntil: asInstant(row.validUntil),
  signer: row.signer,
  source: 'API' as const,
  pushedTxHash,
  pushedAt: pushedTime === null ? null : asInstant(pushedTime),
})

/** Keeps a signed price that the oracle accepts, for whoever reads the oracle and for the next sync of the instance. */
export function createAttestations({ chains, clock, random }: LendingParts) {
  return async function record(call: MarketCall, marketId: string, body: SignedBody) {
    const { tenant } = call
    const { market } = await findDeployedMarket(call, marketId)
    const { chainId, oracle } = market
    if (body.validUntil <= body.timestamp)
      throw fieldError('VALIDATION_ERROR', [{ field: 'validUntil', message: 'must be later than timestamp' }])
    const signed = asSignedPrice(body)
    const { block, results } = await chains.get(chainId).read([verifyRead(oracle, signed)])
    const { valid, signer, error } = verdict(results[0])
    if (valid === null) throw new AppError('ORACLE_UNREACHABLE')
    if (!valid) throw new AppError('SIGNATURE_NOT_ACCEPTED', { detail: error })

    const { row, isNew } = await tenant.transaction(async (sql) => {
      await actAs(sql, 'tally_chain')
      const isNew = await store.insertAttestation(sql, {
        id: newId(clock, random),
        chainId,
        oracle,
        price: signed.price,
        attestedAt: body.timestamp,
        validUntil: body.validUntil,
        signer,
        signature: signed.signature,
        reportedBy: tenant.instanceId,
        createdAt: clock.now(),
      })
      const [row] = await store.findBySignature(sql, chainId, oracle, signed.signature)
      await actAs(sql, 'tally_api')
      return { row, isNew }
    })
    if (!row) throw new Error('a stored attestation cannot be found')
    const attestation = {
      ...attestationFields(row),
      price: row.price.toString(),
      priceDecimal: asPrice(row.price, market),
      createdAt: row.createdAt.toISOString(),
    }
    return { data: { attestation, alreadyRecorded: !isNew }, block }
  }
}

export type RecordAttestation = ReturnType<typeof createAttestations>
