import { lendingOperations } from '@tallystick/wire'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { approveStep } from '../../platform/chain/unsigned-call.ts'
import { at, requirePositive, requirePositiveForm } from '../core/index.ts'
import { minedAt } from './instants.ts'
import { liquidationRead, requireOpen } from './liquidation-state.ts'
import { builtFor, liquidationWrite, named } from './liquidation-write.ts'
import { partyReads, requireParty } from './signer.ts'

/** Cash of a sale comes in and waits for the settlement. */
export const reportPartialSale = liquidationWrite(lendingOperations.reportPartialSale, {
  call: at('router', 'reportPartialSale', 'PartialSaleReported'),
  reverted: 'PARTIAL_SALE_TX_REVERTED',
  precheckBuild({ body }) {
    requirePositiveForm('collateralSold', body.collateralSold)
    requirePositiveForm('usdcProceeds', body.usdcProceeds)
  },

  async build(request) {
    const { record, market, marketId, chain, id, body, cash, tokens, refuse } = request
    const collateralSold = requirePositive('collateralSold', body.collateralSold, market.collateralDecimals)
    const proceeds = requirePositive('usdcProceeds', body.usdcProceeds, market.borrowDecimals)
    const { block, results } = await readNamed(chain, {
      liquidation: liquidationRead(request),
      held: partyReads(record, 'operator', record.wallets),
    })
    const signing = requireParty(record, 'operator', record.wallets, results.held, refuse)
    const { collateralAmount, collateralRemaining, proceedsCollected } = requireOpen(results.liquidation, refuse)
    const shown = `${cash(proceeds)} ${market.borrowSymbol}`
    return {
      block,
      signer: signing.signer,
      args: { id, collateralSold, proceeds },
      steps: {
        before: [approveStep(market.borrowAsset, market.router, proceeds, `Lets the router take ${shown}.`)],
        description: `Brings ${shown} of a sale to the router.`,
      },
      confirmWith: { marketId },
      answer: {
        ...builtFor(request),
        ...signing,
        collateralSold: tokens(collateralSold),
        usdcProceeds: cash(proceeds),
        proceedsCollected: cash(proceedsCollected),
        collateralOut: tokens(collateralAmount - collateralRemaining),
      },
    }
  },

  expect: ({ id }) => ({ liquidationId: id }),

  proven: (proof, request) => ({
    ...named(request),
    collateralSold: request.tokens(proof.effect.collateralSold),
    usdcProceeds: request.cash(proof.effect.proceeds),
    at: minedAt(proof),
  }),
})
