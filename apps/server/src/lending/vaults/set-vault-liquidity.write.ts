import { lendingOperations } from '@tallystick/wire'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { adminReads, at, marketWrite, requireAdmin } from '../core/index.ts'
import { confirmedFacts } from './confirmed-facts.ts'

const descriptionOf = (enabled: boolean) =>
  enabled
    ? 'Lets the market draw on its registered vaults when its pool is short.'
    : 'Stops the market from drawing on its vaults. What was drawn stays in the pool.'

/** Whether a market draws on vaults at all. */
export const setVaultLiquidity = marketWrite(lendingOperations.setVaultLiquidity, {
  call: at('market', 'setVaultLiquidity', 'VaultLiquidityUpdated'),
  shape: 'flat',

  async build({ record, chain, body: { enabled }, refuse }) {
    const { block, results } = await readNamed(chain, adminReads(record))
    const { signing } = requireAdmin(results, record, refuse)
    return {
      block,
      signer: signing.signerAddress,
      args: { isEnabled: enabled },
      answer: { ...signing, description: descriptionOf(enabled), enabled },
    }
  },

  expect: ({ body }) => ({ isEnabled: body.enabled }),

  proven: (proof) => ({ ...confirmedFacts(proof), enabled: proof.effect.isEnabled }),
})
