import type { BodyOf, identityOperations } from '@tallystick/wire'
import type { RevocationOf } from '../claims/revocation.ts'
import type { IdentityParts } from '../parts.ts'
import type { IdentityCall } from '../register/find-register.service.ts'
import { removeProofs } from './proofs.store.ts'

type RevokeBody = BodyOf<typeof identityOperations.revokeProof>

const codes = { failed: 'REVOKE_PROOF_FAILED', otherSlot: 'TX_CLAIM_MISMATCH' } as const

/** Emptying a slot, and forgetting which proof stood behind it. */
export function createRevokeProof({ clock }: IdentityParts, revocation: RevocationOf) {
  return {
    async build(call: IdentityCall, body: RevokeBody) {
      const { data, ...rest } = await revocation.build(call, body, codes)
      return { data: { ...data, confirmWith: { field: 'txHash' as const } }, ...rest }
    },

    async confirm(call: IdentityCall, body: RevokeBody & { txHash: string }) {
      let removedProofs = 0
      const { data, block } = await revocation.confirm(call, body, codes, (found, wallet, slot, proof) => ({
        asTenant: async (sql) => {
          const row = {
            chainId: found.chain.chainId,
            registry: found.address,
            wallet,
            slot: slot.index,
            txHash: proof.transaction.hash,
            logIndex: proof.logIndex,
          }
          removedProofs = await removeProofs(sql, call.tenant.instanceId, row, clock.now())
        },
      }))
      return { data: { ...data, removedProofs }, block }
    },
  }
}

export type RevokeProof = ReturnType<typeof createRevokeProof>
