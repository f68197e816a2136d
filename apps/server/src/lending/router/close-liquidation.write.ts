import { lendingOperations } from '@tallystick/wire'
import { at } from '../core/index.ts'
import { minedAt } from './instants.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { requireAnswer, requireOpen } from './liquidation-state.ts'
import { builtFor, liquidationWrite, named } from './liquidation-write.ts'
import { readRecord } from './router-record.ts'

/** The router admin closes a record that holds neither collateral nor cash. */
export const closeLiquidation = liquidationWrite(lendingOperations.closeLiquidation, {
  call: at('router', 'writeOffLiquidation', 'LiquidationClosed'),
  reverted: 'CLOSE_TX_REVERTED',

  async build(request) {
    const { id, marketId, cash, tokens, refuse } = request
    const { block, signing, ...results } = await readRecord(request, refuse)
    const { proceedsCollected, collateralRemaining } = requireOpen(results.liquidation, refuse)
    const { status } = requireAnswer(results.realization, refuse)
    if (proceedsCollected !== 0n)
      throw refuse('PROCEEDS_COLLECTED', { extra: { proceedsCollected: cash(proceedsCollected) } })
    if (collateralRemaining !== 0n)
      throw refuse('COLLATERAL_UNSOLD', { extra: { collateralRemaining: tokens(collateralRemaining) } })
    if (statusOf(status) === 'PENDING') throw refuse('MARKET_SETTLEMENT_PENDING')
    return {
      block,
      signer: signing.signer,
      args: { id },
      confirmWith: { marketId },
      answer: { ...builtFor(request), ...signing },
    }
  },

  expect: ({ id }) => ({ liquidationId: id }),

  proven: (proof, request) => ({ ...named(request), status: 'SETTLED' as const, at: minedAt(proof) }),
})
