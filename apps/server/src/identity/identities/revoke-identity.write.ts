import { identityOperations } from '@tallystick/wire'
import { getAddress } from 'viem'
import { confirmedFields, latestReader, thenAndNow, toSign, verificationOf, walletWrite } from '../register/index.ts'
import { recordsOf } from './records.service.ts'

/** Taking an identity away: the wallet holds and receives no more. */
export const revokeIdentity = walletWrite(identityOperations.revokeIdentity, {
  async build({ refuse, ...found }) {
    const { register, chain, wallet } = found
    const reader = latestReader(chain)
    const { isRegistered } = await register.identity(reader, wallet)
    if (!isRegistered)
      throw refuse('REVOKE_FAILED', { detail: 'The wallet has no unrevoked identity on this registry.' })
    return toSign(found, reader, register.planRemoval(wallet), {
      description: `Revokes the identity of ${getAddress(wallet)} and with it all its claims.`,
    })
  },

  evidence({ register, wallet, refuse }) {
    const place = register.removalPlace(wallet)
    return { ...place, refuse: (transaction) => (place.mismatch(transaction) ? refuse('TX_TARGET_MISMATCH') : null) }
  },

  async along(proof, request) {
    const { register, wallet, refuse } = request
    const { then, now } = await thenAndNow(request, proof.transaction, (reader) => register.identity(reader, wallet))
    if ((then ?? now).isRegistered)
      throw refuse('REVOKE_FAILED', {
        detail: 'The identity stands at the block of the receipt: it was given back in the same block.',
      })
    const record = { wallet, status: 'revoked' as const, country: null, investorType: null }
    return { seen: { reverified: now.isRegistered }, alongside: recordsOf(request, proof, [record]) }
  },

  proven: async ({ transaction }, request, { reverified }) => ({
    ...confirmedFields(request, transaction),
    status: 'revoked' as const,
    reverified,
    verification: await verificationOf(request, request.wallet, transaction),
  }),
})
