import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { at, optionalAddress } from '../core/index.ts'
import { feeAnswer, movedFees } from './vault-fees.ts'
import { type VaultSubject, vaultWrite } from './vault-write.ts'

/** Who of these is owed something; the first wins. */
async function findOwed(
  { vault, chain }: VaultSubject,
  distributors: readonly Address[],
  refuse: Refuse<'VAULT_STATE_UNAVAILABLE'>,
) {
  const { block, results } = await chain.read(
    distributors.map((one) => contractRead(vault.address, abis.vault, 'distributorFeesOf', [one])),
  )
  const owed = allValues(results)
  if (!owed) throw refuse('VAULT_STATE_UNAVAILABLE')
  const index = owed.findIndex((raw) => raw > 0n)
  return { block, distributor: distributors[index], raw: owed[index] ?? 0n }
}

/** What the vault owes a distributor; without a name: a wallet of the instance. */
export const payDistributor = vaultWrite(lendingOperations.payDistributor, {
  call: at('vault', 'payDistributor', 'DistributorFeePaid'),

  async build(request) {
    const { vault, body, refuse } = request
    const named = optionalAddress('distributor', body.distributor)
    const { block, distributor, raw } = await findOwed(request, named ? [named] : vault.wallets, refuse)
    if (!distributor) throw refuse('NOTHING_ACCRUED')
    return {
      block,
      signer: null,
      args: { distributor },
      confirmWith: { distributor },
      answer: { ...feeAnswer(request, 'Pays a distributor', raw, distributor), distributor },
    }
  },

  expect: ({ body }) => ({ distributor: optionalAddress('distributor', body.distributor) ?? undefined }),

  proven: (proof, request) => ({
    ...movedFees(proof, request),
    action: 'pay' as const,
    events: ['PAID' as const],
    distributor: proof.effect.distributor,
  }),
})
