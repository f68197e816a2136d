import { lendingOperations } from '@tallystick/wire'
import { assetOf } from '../core/index.rules.ts'
import { at, marketWrite } from '../core/index.ts'
import { readBooked, sweepAnswer, sweptAnswer } from './sweeps.ts'

/** To the wallet that is a constant of the market. */
export const sweepInfrastructureFees = marketWrite(lendingOperations.sweepInfrastructureFees, {
  call: at('market', 'sweepInfrastructureFees', 'InfrastructureFeePaid'),

  async build({ market, chain, refuse }) {
    const { block, pool, platformWallet } = await readBooked(chain, market)
    if (!pool) throw refuse('MARKET_FEES_UNAVAILABLE')
    const raw = pool.infrastructureFees
    if (raw === 0n) throw refuse('NO_INFRASTRUCTURE_FEES')
    const answer = { ...sweepAnswer(market, raw, 'infrastructure fees'), destination: platformWallet }
    return { block, signer: null, args: {}, answer }
  },

  expect: () => ({}),

  proven: (proof, { market }) => ({
    kind: 'infrastructure' as const,
    ...sweptAnswer(market, proof),
    asset: assetOf(market),
    destination: proof.effect.recipient,
  }),
})
