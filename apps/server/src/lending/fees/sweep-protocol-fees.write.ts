import { lendingOperations } from '@tallystick/wire'
import { assetOf } from '../core/index.rules.ts'
import { at, marketWrite } from '../core/index.ts'
import { readBooked, sweepAnswer, sweptAnswer } from './sweeps.ts'

/** Into the insurance fund of the market, which has to list the market. */
export const sweepProtocolFees = marketWrite(lendingOperations.sweepProtocolFees, {
  call: at('market', 'sweepProtocolFees', 'ProtocolFeePaid'),

  async build({ market, chain, refuse }) {
    const { block, pool, fund, hasFund } = await readBooked(chain, market)
    if (!pool) throw refuse('MARKET_FEES_UNAVAILABLE')
    if (hasFund === false) throw refuse('NO_INSURANCE_FUND')
    const raw = pool.protocolFees
    if (raw === 0n) throw refuse('NO_PROTOCOL_FEES')
    const answer = { ...sweepAnswer(market, raw, 'insurance part'), destination: fund }
    return { block, signer: null, args: {}, answer }
  },

  expect: () => ({}),

  proven: (proof, { market }) => ({
    kind: 'protocol' as const,
    ...sweptAnswer(market, proof),
    asset: assetOf(market),
    destination: proof.effect.fund,
  }),
})
