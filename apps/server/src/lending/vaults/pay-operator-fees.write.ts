import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { at } from '../core/index.ts'
import { feeAnswer, movedFees } from './vault-fees.ts'
import { vaultWrite } from './vault-write.ts'

/** What shares without a distributor earned belongs to the owner of the vault. */
export const payOperatorFees = vaultWrite(lendingOperations.payOperatorFees, {
  call: at('vault', 'payOperatorFees', 'OperatorFeePaid'),

  async build(request) {
    const { vault, chain, refuse } = request
    const { block, results } = await chain.read([
      contractRead(vault.address, abis.vault, 'owner', []),
      contractRead(vault.address, abis.vault, 'distributorFeesOf', [zeroAddress]),
    ])
    const [owner, owed] = results
    if (!owner.ok || !owed.ok) throw refuse('VAULT_STATE_UNAVAILABLE')
    if (owed.value === 0n) throw refuse('NOTHING_ACCRUED')
    const recipient = owner.value.toLowerCase() as Address
    const answer = feeAnswer(request, 'Pays the owner of the vault', owed.value, recipient)
    return { block, signer: null, args: {}, answer }
  },

  expect: () => ({}),

  proven: (proof, request) => ({
    ...movedFees(proof, request),
    action: 'operator' as const,
    events: ['OPERATOR_PAID' as const],
    recipient: proof.effect.operator,
  }),
})
