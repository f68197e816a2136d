import { identityOperations } from '@tallystick/wire'
import { walletWrite } from '../register/index.ts'
import { requireSlot } from './claim-request.ts'
import { buildRevocation, requireEmptied, revocationEvidence, revokedFields } from './revocation.ts'

const FAILED = 'REVOKE_CLAIM_FAILED'

/** Emptying a slot. */
export const revokeClaim = walletWrite(identityOperations.revokeClaim, {
  precheck: ({ claimType }) => void requireSlot(claimType),
  build: (request) => buildRevocation(request, FAILED),
  evidence: (request) =>
    revocationEvidence(request, FAILED, {
      wallet: () => request.refuse('TX_TARGET_MISMATCH'),
      slot: (detail) => request.refuse(FAILED, { detail }),
    }),
  along: async (proof, request) => ({ seen: await requireEmptied(proof, request, FAILED) }),
  proven: async (proof, request, { reissued }) => ({ ...(await revokedFields(proof, request)), reissued }),
})
