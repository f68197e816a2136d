import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { assetOf } from '../core/borrow-asset.rules.ts'
import { readAt } from '../fees/past.reads.ts'
import type { Market } from '../market/market.store.ts'
import type { LendingParts } from '../parts.ts'
import { type BuyerReason, buyerProblem, buyerReason, offerOf } from './atomic.rules.ts'
import { requireBasis } from './atomic-mode.service.ts'
import { type AtomicState, atomicReads, atomicState } from './atomic-state.ts'
import { booksReads, findShelf, requireBooks } from './books.ts'
import { amountIn, createConfirmation, minedAt, provenBy } from './confirmation.ts'
import { deliveryRestriction } from './delivery.reads.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { sellPendingCall } from './liquidation.call.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { createLookup, type LiquidationCall } from './lookup.service.ts'
import { builtFor, createRouterWrites, liquidationRead, requireOpen } from './router-write.service.ts'
import { bookedSettlement, shownBooking } from './settlement-events.ts'
import { candidatesOf, namedSigner, partyReads, requireParty } from './signer.ts'
import { settlementOf } from './waterfall.rules.ts'
import { shownSettlement } from './waterfall-shown.rules.ts'

type SellBody = BodyOf<typeof lendingOperations.sellPending>

const factor = (bps: bigint) => ({ priceFactor: formatUnits(bps, 4), priceFactorBps: Number(bps) })

/** What a sale is made from; all of it must have been read. */
function requirePurse({ price, isFresh, allowance, balance }: AtomicState) {
  if (price === null || isFresh === null || allowance === null || balance === null)
    throw new AppError('MARKET_STATE_UNAVAILABLE')
  return { price, isStale: !isFresh, allowance, balance }
}

/** The bid that stood when a block was made; null where the node does not keep states that old. */
async function bidAt(chain: Chain, { router }: Market, height: bigint): Promise<bigint | null> {
  const past = await chainOrNull(readAt(chain, height, [contractRead(router, abis.router, 'saleBid', [])]))
  const bid = past?.results[0]
  return bid?.ok ? bid.value[0] : null
}

/** A whole liquidation goes to the sale recipient at its bid, and is settled with what it pays. */
export function createSellPending(parts: LendingParts) {
  const lookup = createLookup(parts)
  const write = createRouterWrites(parts)
  const confirm = createConfirmation(parts)

  return {
    async build(call: LiquidationCall, body: SellBody) {
      const named = namedSigner(body.signerAddress)
      const located = await lookup.onRouter(call)
      const { record, chain, id } = located
      const { market } = record
      const candidates = candidatesOf(record, named)
      const shelf = await findShelf(located)
      const { saleRecipient: buyer } = shelf
      const { block, results } = await readNamed(chain, {
        liquidation: liquidationRead(located),
        ...booksReads(located, shelf),
        ...atomicReads(market, buyer),
        roleHeld: partyReads(record, 'operator', candidates),
      })
      const signing = requireParty(record, 'operator', candidates, results.roleHeld)
      const liquidation = requireOpen(results.liquidation)
      const { realization, loan, around } = requireBooks(results)
      const state = atomicState(results, market, block.time)
      requireBasis(state)
      const { collateralAmount: collateral } = liquidation
      if (liquidation.collateralRemaining !== collateral || liquidation.proceedsCollected !== 0n)
        throw new AppError('COLLATERAL_ALREADY_OUT_FOR_SALE')
      const purse = requirePurse(state)
      const { bid, floorBps } = state
      const { price, payment } = offerOf(purse.price, bid, collateral, market.collateralDecimals)
      const expectedPayment = { amount: formatUnits(payment, market.borrowDecimals), raw: payment.toString() }
      const refuse = (reasonCode: BuyerReason) =>
        new AppError('ATOMIC_BUYER_UNAVAILABLE', {
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
      if (problem) throw refuse(problem)
      const delivery = { token: market.collateralToken, from: market.router, to: buyer, amount: collateral }
      if ((await deliveryRestriction(chain, delivery)).code !== 0) throw refuse('DELIVERY_REFUSED')
      const built = await write(located, sellPendingCall, { id }, signing.signer)
      const isOpen = statusOf(realization.status) === 'PENDING'
      const flow = settlementOf(realization, around, { routerCash: payment, isOpen })
      const data = {
        ...builtFor(call, located, 'liquidation', '/sell'),
        ...built,
        ...signing,
        description: `Sells ${formatUnits(collateral, market.collateralDecimals)} ${market.collateralSymbol} to the sale recipient at its bid and settles the liquidation.`,
        routerAddress: market.router,
        buyer,
        expectedPayment,
        collateralAmount: formatUnits(collateral, market.collateralDecimals),
        collateralAmountRaw: collateral.toString(),
        price: { amount: formatUnits(price, market.borrowDecimals), raw: price.toString() },
        ...factor(bid.priceFactorBps),
        settlementAsset: assetOf(market),
        gasLimit: gasLimitOf(built.simulation),
        preview: shownSettlement(flow, realization, market.borrowDecimals),
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: LiquidationCall, txHash: string) {
      const { record, chain, id, liquidationId, realizationId, claim } = await lookup.onRouter(call)
      const { market } = record
      const proof = await confirm(call, {
        record,
        chain,
        pair: sellPendingCall,
        expected: { id },
        txHash,
        revertCode: 'SELL_PENDING_FAILED',
      })
      const { transaction, logIndex, effect } = proof
      const payment = amountIn(proof, 'payment')
      const settled = { logIndex, realizationId: realizationId.toString(), routerProceeds: payment, claim }
      const booked = bookedSettlement(market, transaction.logs, settled)
      const bid = await bidAt(chain, market, transaction.block.number)
      const amount = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      const surplusOf = (kind: string) =>
        amount(booked.surpluses.reduce((sum, one) => (one.kind === kind ? sum + one.amount : sum), 0n))
      const data = {
        liquidationId,
        marketId: record.marketId,
        ...provenBy(proof),
        status: 'SETTLED' as const,
        realization: 'ATOMIC' as const,
        usdcProceeds: amount(booked.cash),
        buyer: String(effect.buyer),
        payment: amount(payment),
        price: amount(amountIn(proof, 'price')),
        ...(bid === null ? { priceFactor: null, priceFactorBps: null } : factor(bid)),
        collateralAmount: formatUnits(amountIn(proof, 'collateral'), market.collateralDecimals),
        surplus: { returned: surplusOf('SURPLUS_RETURNED'), escrowed: surplusOf('SURPLUS_ESCROWED') },
        reserve: { settlementCovered: amount(booked.reserve?.covered ?? 0n), reimbursed: amount(booked.reimbursed) },
        settlement: shownBooking(booked, realizationId.toString(), market),
        settledAt: minedAt(proof),
        signedBy: transaction.from,
      }
      return { data, block: transaction.block }
    },
  }
}

export type SellPending = ReturnType<typeof createSellPending>
