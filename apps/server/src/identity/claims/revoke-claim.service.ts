import type { BodyOf, identityOperations } from '@tallystick/wire'
import { confirmAt } from '../register/endpoint.ts'
import type { IdentityCall } from '../register/find-register.service.ts'
import type { RevocationOf } from './revocation.ts'

type RevokeBody = BodyOf<typeof identityOperations.revokeClaim>

const codes = { failed: 'REVOKE_CLAIM_FAILED', otherSlot: 'REVOKE_CLAIM_FAILED' } as const

/** Emptying a slot. */
export function createRevokeClaim(revocation: RevocationOf) {
  return {
    async build(call: IdentityCall, body: RevokeBody) {
      const { data, ...rest } = await revocation.build(call, body, codes)
      return { data: { ...data, confirmWith: confirmAt('/revoke-claim') }, ...rest }
    },
    confirm: (call: IdentityCall, body: RevokeBody & { txHash: string }) => revocation.confirm(call, body, codes),
  }
}

export type RevokeClaim = ReturnType<typeof createRevokeClaim>
