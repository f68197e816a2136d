import { lendingOperations } from '@tallystick/wire'
import { candidate } from '../../writes/index.ts'
import { readAssetDataState } from './asset-data-state.service.ts'
import { acknowledgeByAdoption, acknowledgeCall, assetDataConfirmation, requireOwnWallet } from './asset-data-write.ts'

/** The proof of an acknowledgement, or of the adoption that made one. */
export const confirmAcknowledgement = assetDataConfirmation(lendingOperations.confirmAcknowledgement, {
  evidence: ({ factory, market }) => ({
    target: factory,
    kind: acknowledgeCall.kind,
    candidates: [candidate(acknowledgeCall, { market }), candidate(acknowledgeByAdoption, { market })],
  }),

  async along({ effect }, request) {
    requireOwnWallet(request, effect.curator, 'ACK_NOT_INSTANCE_BOUND', request.refuse)
    const after = await request.again()
    return { seen: after, block: after.block }
  },

  proven: async ({ effect: { contentHash, version, curator } }, { tenant }, after) => ({
    signer: curator,
    acknowledgement: { contentHash, version: Number(version), curator },
    assetData: await readAssetDataState(tenant, after),
  }),
})
