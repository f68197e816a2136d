import { lendingOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { assetOf } from '../core/index.rules.ts'
import { at } from '../core/index.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { minedAt } from './instants.ts'
import { builtFor, liquidationWrite, named } from './liquidation-write.ts'
import { bidAt } from './past-bid.ts'
import { requirePendingSale } from './pending-sale.ts'
import { bookedSettlement, shownBooking } from './settlement-events.ts'
import { namedSigner } from './signer.ts'
import { shownSettlement, shownSurplus } from './waterfall-shown.rules.ts'

const factor = (bps: bigint) => ({ priceFactor: formatUnits(bps, 4), priceFactorBps: Number(bps) })

/** A whole liquidation goes to the sale recipient at its bid, and is settled with what it pays. */
export const sellPending = liquidationWrite(lendingOperations.sellPending, {
  call: at('router', 'sellPending', 'AtomicSaleExecuted'),
  reverted: 'SELL_PENDING_FAILED',
  precheckBuild: ({ body }) => void namedSigner(body.signerAddress),

  async build(request) {
    const { market, marketId, id, body, cash, tokens, refuse } = request
    const sale = await requirePendingSale(request, namedSigner(body.signerAddress), refuse)
    const { block, signing, buyer, collateral, price, payment, bid, realization, flow } = sale
    return {
      block,
      signer: signing.signer,
      args: { id },
      confirmWith: { marketId },
      answer: (simulation) => ({
        ...builtFor(request),
        ...signing,
        description: `Sells ${tokens(collateral)} ${market.collateralSymbol} to the sale recipient at its bid and settles the liquidation.`,
        routerAddress: market.router,
        buyer,
        expectedPayment: { amount: cash(payment), raw: payment.toString() },
        collateralAmount: tokens(collateral),
        collateralAmountRaw: collateral.toString(),
        price: { amount: cash(price), raw: price.toString() },
        ...factor(bid.priceFactorBps),
        settlementAsset: assetOf(market),
        gasLimit: gasLimitOf(simulation),
        preview: shownSettlement(flow, realization, market.borrowDecimals),
      }),
    }
  },

  expect: ({ id }) => ({ liquidationId: id }),

  async proven(proof, request) {
    const { market, chain, realizationId, claim, cash } = request
    const { transaction, logIndex, effect } = proof
    const { payment } = effect
    const settled = { logIndex, realizationId, routerProceeds: payment, claim }
    const booked = bookedSettlement(market, transaction.logs, settled)
    const bid = await bidAt(chain, market, transaction.block.number)
    return {
      ...named(request),
      status: 'SETTLED' as const,
      realization: 'ATOMIC' as const,
      usdcProceeds: cash(booked.cash),
      buyer: effect.buyer,
      payment: cash(payment),
      price: cash(effect.price),
      ...(bid === null ? { priceFactor: null, priceFactorBps: null } : factor(bid)),
      collateralAmount: request.tokens(effect.collateral),
      surplus: shownSurplus(booked.surpluses, cash),
      reserve: { settlementCovered: cash(booked.reserve?.covered ?? 0n), reimbursed: cash(booked.reimbursed) },
      settlement: shownBooking(booked, realizationId, market),
      settledAt: minedAt(proof),
      signedBy: transaction.from,
    }
  },
})
