import { lendingOperations } from '@tallystick/wire'
import { parseUnits } from '../../platform/amounts.rules.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { approveStep } from '../../platform/chain/unsigned-call.ts'
import { FINEST } from '../core/index.rules.ts'
import { at } from '../core/index.ts'
import { booksReads, findShelf, requireBooks } from './books.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { minedAt } from './instants.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { liquidationRead, requireOpen } from './liquidation-state.ts'
import { builtFor, liquidationWrite, named } from './liquidation-write.ts'
import { requireProceeds, requireSettleable } from './settleable.rules.ts'
import { bookedSettlement, finalLeg, shownBooking } from './settlement-events.ts'
import { partyReads, requireParty } from './signer.ts'
import { settlementOf } from './waterfall.rules.ts'
import { shownSettlement } from './waterfall-shown.rules.ts'

/** The end of a sale: all cash goes to the market, which pays pool, fund and borrower. */
export const settleLiquidation = liquidationWrite(lendingOperations.settleLiquidation, {
  call: at('router', 'settleLiquidation', 'LiquidationSettled'),
  reverted: 'SETTLE_TX_REVERTED',
  precheckBuild({ body, refuse }) {
    if (parseUnits(body.usdcProceeds, FINEST) === null) throw refuse('INVALID_AMOUNT')
  },

  async build(request) {
    const { record, market, marketId, chain, id, realizationId, body, cash, refuse } = request
    const final = requireProceeds(body.usdcProceeds, market, refuse)
    const shelf = await findShelf(request, refuse)
    const { block, results } = await readNamed(chain, {
      liquidation: liquidationRead(request),
      ...booksReads(request, shelf),
      roleHeld: partyReads(record, 'operator', record.wallets),
    })
    const signing = requireParty(record, 'operator', record.wallets, results.roleHeld, refuse)
    const liquidation = requireOpen(results.liquidation, refuse)
    const { realization, around } = requireBooks(results, refuse)
    requireSettleable(liquidation, final, realization.held, market, refuse)
    const flow = settlementOf(realization, around, {
      routerCash: liquidation.proceedsCollected + final,
      isOpen: statusOf(realization.status) === 'PENDING',
    })
    const text = `Lets the router take ${cash(final)} ${market.borrowSymbol}.`
    return {
      block,
      signer: signing.signer,
      args: { id, finalProceeds: final },
      steps: {
        before: final === 0n ? [] : [approveStep(market.borrowAsset, market.router, final, text)],
        description: 'Forwards all cash of the liquidation to the market, which pays pool, fund and borrower.',
      },
      confirmWith: { marketId },
      answer: (simulation) => ({
        ...builtFor(request),
        ...signing,
        marketLiquidationId: realizationId.toString(),
        usdcProceeds: cash(final),
        gasLimit: gasLimitOf(simulation),
        preview: shownSettlement(flow, realization, market.borrowDecimals),
      }),
    }
  },

  expect: ({ id }) => ({ liquidationId: id }),

  proven(proof, request) {
    const { claim, market, cash } = request
    const { logIndex, effect, transaction } = proof
    const { realizationId, proceeds: routerProceeds } = effect
    const booked = bookedSettlement(market, transaction.logs, { logIndex, realizationId, routerProceeds, claim })
    const surplus = booked.surpluses.map((one) => ({ ...one, amount: cash(one.amount) }))
    return {
      ...named(request),
      usdcProceeds: cash(booked.cash),
      finalLegProceeds: cash(finalLeg(market, transaction.logs, logIndex)),
      settlement: shownBooking(booked, realizationId, market),
      ...(surplus.length > 0 ? { surplus } : {}),
      settledAt: minedAt(proof),
    }
  },
})
