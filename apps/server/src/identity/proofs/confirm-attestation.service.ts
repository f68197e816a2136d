import type { identityOperations, LegBodyOf } from '@tallystick/wire'
import { type Address, getAddress, type Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import { filedClaim, isFiled } from '../claims/index.ts'
import type { IdentityParts } from '../parts.ts'
import { type FindRegister, type FoundRegister, type IdentityCall, latestReader } from '../register/index.ts'
import { requireEntries, requireRead } from './entries.ts'
import { type ProofEntry, resultsByField } from './proof-entries.rules.ts'
import { insertProof } from './proofs.store.ts'

type AttestBody = LegBodyOf<typeof identityOperations.attestProofs, 'confirm'>

interface ProofOutcome {
  readonly fieldName: string
  readonly claimType: string
  readonly status: 'confirmed' | 'skipped' | 'failed'
  readonly txHash: string | null
  readonly code: string | null
}

/** Proving each claim, and keeping which proof backs it. */
export function createConfirmAttestation({ clock, writes }: IdentityParts, registers: FindRegister) {
  /** One entry; throws the code that says why its transaction is not the one. */
  async function confirmEntry(
    call: IdentityCall,
    found: FoundRegister,
    wallet: Address,
    entry: ProofEntry,
    txHash: Hex,
  ) {
    const { register, chain } = found
    const { slot, dataHash } = entry
    const place = await register.claimPlace(latestReader(chain), wallet, slot)
    await writes.confirmOneOf(
      call.tenant,
      { chain, ...place },
      place.candidates,
      txHash,
      async (proof) => {
        if (filedClaim(proof).dataHash !== dataHash) throw new AppError('TX_NOT_VERIFIED')
        if (!(await isFiled(found, wallet, slot, proof))) throw new AppError('CLAIM_NOT_ACTIVE')
        const row = {
          chainId: chain.chainId,
          registry: register.address,
          wallet,
          slot: slot.index,
          txHash: proof.transaction.hash,
          logIndex: proof.logIndex,
          fieldName: entry.fieldName,
          proofDigest: entry.proofDigest,
          dataHash,
        }
        return { asTenant: (sql) => insertProof(sql, call.tenant.instanceId, row, clock.now()) }
      },
      (transaction) => {
        const mismatch = place.mismatch(transaction)
        return mismatch && new AppError(mismatch === 'wallet' ? 'TX_TARGET_MISMATCH' : 'TX_CLAIM_MISMATCH')
      },
    )
  }

  return async (call: IdentityCall, body: AttestBody) => {
    const wallet = requireAddress(body.walletAddress)
    const entries = requireEntries(body.entries)
    const results = requireRead(resultsByField(entries, body.txResults))
    const found = await registers.find(call, body.registryAddress)
    const proofs: ProofOutcome[] = []
    for (const entry of entries) {
      const shown = { fieldName: entry.fieldName, claimType: entry.slot.name }
      const txHash = results.get(entry.fieldName)
      if (!txHash) {
        proofs.push({ ...shown, status: 'skipped', txHash: null, code: null })
        continue
      }
      try {
        await confirmEntry(call, found, wallet, entry, txHash)
        proofs.push({ ...shown, status: 'confirmed', txHash, code: null })
      } catch (error) {
        // What the chain says of one transaction is the outcome of its entry; anything else ends the request.
        if (!(error instanceof AppError)) throw error
        proofs.push({ ...shown, status: 'failed', txHash, code: error.code })
      }
    }
    const added = proofs.filter(({ status }) => status === 'confirmed').length
    if (added === 0) throw new AppError('NO_PROOFS_ADDED', { extra: { proofs } })
    const data = {
      walletAddress: getAddress(wallet),
      registerKind: found.register.kind,
      registryAddress: found.address,
      added,
      total: entries.length,
      proofs,
    }
    return { data }
  }
}

export type ConfirmAttestation = ReturnType<typeof createConfirmAttestation>
