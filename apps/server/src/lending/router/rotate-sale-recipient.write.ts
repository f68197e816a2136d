import { lendingOperations } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { at, marketWrite } from '../core/index.ts'
import { instantOf, minedAt } from './instants.ts'
import { readSaleRecipient } from './sale-recipient-state.ts'

const rotation = at('router', 'rotateSaleRecipient', 'SaleRecipientSet')

/** Who was announced takes over. */
export const rotateSaleRecipient = marketWrite(lendingOperations.rotateSaleRecipient, {
  // The first sale recipient comes with the adoption: that is no rotation.
  call: { ...rotation, isFor: ({ previousRecipient }) => previousRecipient !== zeroAddress },

  async build(request) {
    const { marketId, refuse } = request
    const { block, signing, saleRecipient, next, activatesAt, open } = await readSaleRecipient(request, refuse)
    if (next === zeroAddress) throw refuse('ROTATION_NOT_ANNOUNCED')
    if (block.time < activatesAt) throw refuse('ROTATION_TOO_EARLY', { extra: { eligibleAt: instantOf(activatesAt) } })
    if (open > 0) throw refuse('LIQUIDATIONS_OPEN', { extra: { openLiquidations: open } })
    return {
      block,
      signer: signing.signer,
      args: {},
      answer: { marketId, ...signing, saleRecipient, nextSaleRecipient: next },
    }
  },

  expect: () => ({}),

  proven: (proof, { marketId }) => ({
    marketId,
    previousSaleRecipient: proof.effect.previousRecipient,
    saleRecipient: proof.effect.newRecipient,
    at: minedAt(proof),
  }),
})
