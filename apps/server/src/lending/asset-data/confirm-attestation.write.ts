import { lendingOperations } from '@tallystick/wire'
import { zeroHash } from 'viem'
import { candidate } from '../../writes/index.ts'
import { findSnapshot, readAssetDataState, sharing } from './asset-data-state.service.ts'
import { assetDataConfirmation, attestByDeployment, attestCall, requireOwnWallet } from './asset-data-write.ts'

/** The proof of an attestation, or of the deployment that made the first one. */
export const confirmAttestation = assetDataConfirmation(lendingOperations.confirmAttestation, {
  evidence: ({ factory, market }) => ({
    target: factory,
    kind: attestCall.kind,
    candidates: [candidate(attestCall, { market }), candidate(attestByDeployment, { market })],
  }),

  async along({ effect }, request) {
    requireOwnWallet(request, effect.attestor, 'ATTEST_NOT_INSTANCE_BOUND', request.refuse)
    const stored = await findSnapshot(request.tenant, request, effect.contentHash)
    const after = await request.again()
    const seen = { after, bundleAvailable: stored !== undefined }
    return { seen, block: after.block, alongside: stored ? sharing(request, stored) : {} }
  },

  proven: async ({ effect }, { tenant }, { after, bundleAvailable }) => ({
    signer: effect.attestor,
    attestation: {
      contentHash: effect.contentHash,
      previousHash: effect.previousHash === zeroHash ? null : effect.previousHash,
      version: Number(effect.version),
      attestor: effect.attestor,
      bundleAvailable,
    },
    assetData: await readAssetDataState(tenant, after),
  }),
})
