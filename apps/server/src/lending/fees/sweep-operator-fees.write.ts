import { lendingOperations } from '@tallystick/wire'
import { assetOf } from '../core/index.rules.ts'
import { at, marketWrite } from '../core/index.ts'
import { readBooked, sweepAnswer, sweptAnswer } from './sweeps.ts'

/** To whoever is the operator wallet when it is mined. */
export const sweepOperatorFees = marketWrite(lendingOperations.sweepOperatorFees, {
  call: at('market', 'sweepOperatorFees', 'OperatorFeePaid'),

  async build({ market, chain, refuse }) {
    const { block, pool, operator, isAdopted } = await readBooked(chain, market)
    if (!pool) throw refuse('OPERATOR_FEES_UNAVAILABLE')
    if (isAdopted === false) throw refuse('MARKET_NOT_ADOPTED')
    if (!operator) throw refuse('OPERATOR_FEES_UNAVAILABLE')
    const raw = pool.operatorFees
    if (raw === 0n) throw refuse('NO_OPERATOR_FEES')
    const answer = { ...sweepAnswer(market, raw, 'operator fees'), recipient: operator }
    return { block, signer: null, args: {}, answer }
  },

  expect: () => ({}),

  proven: (proof, { market }) => ({
    ...sweptAnswer(market, proof),
    asset: assetOf(market),
    recipient: proof.effect.recipient,
  }),
})
