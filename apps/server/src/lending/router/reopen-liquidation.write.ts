import { lendingOperations } from '@tallystick/wire'
import { at } from '../core/index.ts'
import { minedAt } from './instants.ts'
import { requireAnswer } from './liquidation-state.ts'
import { builtFor, liquidationWrite, named } from './liquidation-write.ts'
import { readRecord } from './router-record.ts'

/** The router admin opens a record again that was settled with the cash of an auction alone and still holds collateral. */
export const reopenLiquidation = liquidationWrite(lendingOperations.reopenLiquidation, {
  call: at('router', 'reopenLiquidation', 'LiquidationReopened'),
  reverted: 'REOPEN_TX_REVERTED',

  async build(request) {
    const { id, marketId, tokens, refuse } = request
    const { block, signing, ...results } = await readRecord(request, refuse)
    const { settled, proceedsCollected, collateralRemaining } = requireAnswer(results.liquidation, refuse)
    if (!settled) throw refuse('LIQUIDATION_NOT_SETTLED')
    if (proceedsCollected !== 0n) throw refuse('REOPEN_UNAVAILABLE')
    if (collateralRemaining === 0n) throw refuse('NOTHING_TO_RECOVER')
    return {
      block,
      signer: signing.signer,
      args: { id },
      confirmWith: { marketId },
      answer: { ...builtFor(request), ...signing, collateralRemaining: tokens(collateralRemaining) },
    }
  },

  expect: ({ id }) => ({ liquidationId: id }),

  proven: (proof, request) => ({
    ...named(request),
    status: 'PENDING' as const,
    collateralRemaining: request.tokens(proof.effect.collateralRemaining),
    at: minedAt(proof),
  }),
})
