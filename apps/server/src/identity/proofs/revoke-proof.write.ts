import { identityOperations } from '@tallystick/wire'
import { buildRevocation, requireEmptied, requireSlot, revocationEvidence, revokedFields } from '../claims/index.ts'
import { walletWrite } from '../register/index.ts'
import { forgetProofs } from './ledger.service.ts'

const FAILED = 'REVOKE_PROOF_FAILED'

/** Emptying a slot, and forgetting which proof stood behind it. */
export const revokeProof = walletWrite(identityOperations.revokeProof, {
  confirmedAt: 'unsaid',
  precheck: ({ claimType }) => void requireSlot(claimType),
  build: (request) => buildRevocation(request, FAILED),
  evidence: (request) =>
    revocationEvidence(request, FAILED, {
      wallet: () => request.refuse('TX_TARGET_MISMATCH'),
      slot: (detail) => request.refuse('TX_CLAIM_MISMATCH', { detail }),
    }),
  async along(proof, request) {
    const { reissued } = await requireEmptied(proof, request, FAILED)
    const { alongside, removed } = forgetProofs(proof, request, requireSlot(request.body.claimType))
    return { seen: { reissued, removed }, alongside }
  },
  proven: async (proof, request, { reissued, removed }) => ({
    ...(await revokedFields(proof, request)),
    reissued,
    removedProofs: removed(),
  }),
})
