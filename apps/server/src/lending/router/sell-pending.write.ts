import { lendingOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { assetOf, type Market } from '../core/index.rules.ts'
import { at } from '../core/index.ts'
import { readAt } from '../fees/index.ts'
import { type BuyerReason, buyerProblem, buyerReason, offerOf } from './atomic.rules.ts'
import { atomicReads, atomicState, requireBasis, requirePurse } from './atomic-state.ts'
import { booksReads, findShelf, requireBooks } from './books.ts'
import { deliveryRestriction } from './delivery.reads.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { minedAt } from './instants.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { liquidationRead, requireOpen } from './liquidation-state.ts'
import { builtFor, liquidationWrite, named } from './liquidation-write.ts'
import { bookedSettlement, shownBooking } from './settlement-events.ts'
import { candidatesOf, namedSigner, partyReads, requireParty } from './signer.ts'
import { settlementOf } from './waterfall.rules.ts'
import { shownSettlement } from './waterfall-shown.rules.ts'

const factor = (bps: bigint) => ({ priceFactor: formatUnits(bps, 4), priceFactorBps: Number(bps) })

/** The bid that stood when a block was made; null where the node does not keep states that old. */
async function bidAt(chain: Chain, { router }: Market, height: bigint): Promise<bigint | null> {
  const past = await chainOrNull(readAt(chain, height, [contractRead(router, abis.router, 'saleBid', [])]))
  const bid = past?.results[0]
  return bid?.ok ? bid.value[0] : null
}

/** A whole liquidation goes to the sale recipient at its bid, and is settled with what it pays. */
export const sellPending = liquidationWrite(lendingOperations.sellPending, {
  call: at('router', 'sellPending', 'AtomicSaleExecuted'),
  reverted: 'SELL_PENDING_FAILED',
  precheckBuild: ({ body }) => void namedSigner(body.signerAddress),

  async build(request) {
    const { record, market, marketId, chain, id, body, cash, tokens, refuse } = request
    const candidates = candidatesOf(record, namedSigner(body.signerAddress))
    const shelf = await findShelf(request, refuse)
    const { saleRecipient: buyer } = shelf
    const { block, results } = await readNamed(chain, {
      liquidation: liquidationRead(request),
      ...booksReads(request, shelf),
      ...atomicReads(market, buyer),
      roleHeld: partyReads(record, 'operator', candidates),
    })
    const signing = requireParty(record, 'operator', candidates, results.roleHeld, refuse)
    const liquidation = requireOpen(results.liquidation, refuse)
    const { realization, loan, around } = requireBooks(results, refuse)
    const state = atomicState(results, market, block.time, refuse)
    requireBasis(state, refuse)
    const { collateralAmount: collateral } = liquidation
    if (liquidation.collateralRemaining !== collateral || liquidation.proceedsCollected !== 0n)
      throw refuse('COLLATERAL_ALREADY_OUT_FOR_SALE')
    const purse = requirePurse(state, refuse)
    const { bid, floorBps } = state
    const { price, payment } = offerOf(purse.price, bid, collateral, market.collateralDecimals)
    const expectedPayment = { amount: cash(payment), raw: payment.toString() }
    const noBuyer = (reasonCode: BuyerReason) =>
      refuse('ATOMIC_BUYER_UNAVAILABLE', {
        detail: buyerReason(reasonCode),
        extra: {
          details: {
            reasonCode,
            saleRecipient: buyer,
            routerAddress: market.router,
            expectedPayment: bid.priceFactorBps === 0n ? null : expectedPayment,
          },
        },
      })
    const isBorrower = loan.borrower.toLowerCase() === buyer
    const problem = buyerProblem({ bid, floorBps, chainTime: block.time, ...purse, payment, isBorrower })
    if (problem) throw noBuyer(problem)
    const delivery = { token: market.collateralToken, from: market.router, to: buyer, amount: collateral }
    if ((await deliveryRestriction(chain, delivery)).code !== 0) throw noBuyer('DELIVERY_REFUSED')
    const isOpen = statusOf(realization.status) === 'PENDING'
    const flow = settlementOf(realization, around, { routerCash: payment, isOpen })
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
        expectedPayment,
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
    const surplusOf = (kind: string) =>
      cash(booked.surpluses.reduce((sum, one) => (one.kind === kind ? sum + one.amount : sum), 0n))
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
      surplus: { returned: surplusOf('SURPLUS_RETURNED'), escrowed: surplusOf('SURPLUS_ESCROWED') },
      reserve: { settlementCovered: cash(booked.reserve?.covered ?? 0n), reimbursed: cash(booked.reimbursed) },
      settlement: shownBooking(booked, realizationId, market),
      settledAt: minedAt(proof),
      signedBy: transaction.from,
    }
  },
})
