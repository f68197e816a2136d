import { lendingOperations } from '@tallystick/wire'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { adminReads, at, marketWrite, requireAdmin } from '../core/index.ts'
import { confirmedFacts } from './confirmed-facts.ts'
import { optionalVault, requireVault } from './named-vault.ts'

/** A vault that the market shall draw on no more. */
export const deregisterVault = marketWrite(lendingOperations.deregisterVault, {
  call: at('market', 'deregisterVault', 'VaultDeregistered'),
  shape: 'flat',

  async build({ record, chain, body, refuse }) {
    const vault = requireVault(body.vaultAddress)
    const { block, results } = await readNamed(chain, adminReads(record))
    const { signing } = requireAdmin(results, record, refuse)
    const description = `Takes ${vault} out of the vaults that the market draws on. Its pool shares stay its own.`
    return {
      block,
      signer: signing.signerAddress,
      args: { vault },
      answer: { ...signing, description, vaultAddress: vault },
    }
  },

  expect: ({ body }) => ({ vault: optionalVault(body.vaultAddress) }),

  proven: (proof) => ({ ...confirmedFacts(proof), vaultAddress: proof.effect.vault, registered: false }),
})
