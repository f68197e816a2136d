import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { Market } from '../market/market.store.ts'
import type { LendingParts } from '../parts.ts'
import { approveStep, buildSteps } from '../steps.ts'
import { booksReads, findShelf, requireBooks } from './books.ts'
import { amountIn, createConfirmation, minedAt, provenBy } from './confirmation.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { settleCall } from './liquidation.call.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { createLookup, type LiquidationCall } from './lookup.service.ts'
import { builtFor, type LiquidationOnRouter, liquidationRead, requireOpen } from './router-write.service.ts'
import { bookedSettlement, finalLeg, shownBooking } from './settlement-events.ts'
import { partyReads, requireParty } from './signer.ts'
import { settlementOf } from './waterfall.rules.ts'
import { shownSettlement } from './waterfall-shown.rules.ts'

type SettleBody = BodyOf<typeof lendingOperations.settleLiquidation>

const LARGEST = 2n ** 128n - 1n

/** Before the market is known, nothing finer or larger than any asset can be refused. */
function requireForm(text: string): void {
  if (parseUnits(text, 36) === null) throw new AppError('INVALID_AMOUNT')
}

function requireProceeds(text: string, { borrowDecimals }: Market): bigint {
  const raw = parseUnits(text, borrowDecimals)
  if (raw === null || raw > LARGEST) throw new AppError('INVALID_AMOUNT')
  return raw
}

/** A settlement needs cash of its own and everything sold; or, with none, cash that an auction left with the market. */
function requireSettleable(
  { proceedsCollected, collateralRemaining }: LiquidationOnRouter,
  final: bigint,
  held: bigint,
  { collateralDecimals }: Market,
): void {
  if (proceedsCollected + final === 0n) {
    if (held !== 0n) return
    throw new AppError(collateralRemaining === 0n ? 'SALE_NOT_REPORTED' : 'NO_PROCEEDS_COLLECTED')
  }
  if (collateralRemaining !== 0n)
    throw new AppError('COLLATERAL_UNSOLD', {
      extra: { collateralRemaining: formatUnits(collateralRemaining, collateralDecimals) },
    })
}

/** The end of a sale: all cash goes to the market, which pays pool, fund and borrower. */
export function createSettle(parts: LendingParts) {
  const lookup = createLookup(parts)
  const confirm = createConfirmation(parts)

  return {
    async build(call: LiquidationCall, body: SettleBody) {
      if (body.usdcProceeds === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'usdcProceeds', message: 'is required' }])
      requireForm(body.usdcProceeds)
      const located = await lookup.onRouter(call)
      const { record, chain, id, realizationId } = located
      const { market, wallets } = record
      const { borrowDecimals: decimals } = market
      const final = requireProceeds(body.usdcProceeds, market)
      const shelf = await findShelf(located)
      const { block, results } = await readNamed(chain, {
        liquidation: liquidationRead(located),
        ...booksReads(located, shelf),
        roleHeld: partyReads(record, 'operator', wallets),
      })
      const signing = requireParty(record, 'operator', wallets, results.roleHeld)
      const liquidation = requireOpen(results.liquidation)
      const { realization, around } = requireBooks(results)
      requireSettleable(liquidation, final, realization.held, market)
      const flow = settlementOf(realization, around, {
        routerCash: liquidation.proceedsCollected + final,
        isOpen: statusOf(realization.status) === 'PENDING',
      })
      const cash = `${formatUnits(final, decimals)} ${market.borrowSymbol}`
      const settleStep = {
        call: settleCall.prepare(market.router, { id, finalProceeds: final }),
        functionName: settleCall.functionName,
        description: 'Forwards all cash of the liquidation to the market, which pays pool, fund and borrower.',
      }
      const approve = approveStep(market.borrowAsset, market.router, final, `Lets the router take ${cash}.`)
      const planned = final === 0n ? [settleStep] : [approve, settleStep]
      const { built, calls } = await buildSteps(chain, signing.signer, planned, parts.clock)
      const data = {
        ...builtFor(call, located, 'settle'),
        ...built,
        confirmStepIndex: planned.length - 1,
        ...signing,
        marketLiquidationId: realizationId.toString(),
        usdcProceeds: formatUnits(final, decimals),
        gasLimit: gasLimitOf(built.simulation),
        preview: shownSettlement(flow, realization, decimals),
      }
      return { data, block, calls }
    },

    async confirm(call: LiquidationCall, txHash: string) {
      const { record, chain, id, liquidationId, claim } = await lookup.onRouter(call)
      const { market } = record
      const proof = await confirm(call, {
        record,
        chain,
        pair: settleCall,
        expected: { id },
        txHash,
        revertCode: 'SETTLE_TX_REVERTED',
      })
      const realizationId = String(proof.effect.realizationId)
      const { logs } = proof.transaction
      const routerProceeds = amountIn(proof, 'proceeds')
      const settled = { logIndex: proof.logIndex, realizationId, routerProceeds, claim }
      const booked = bookedSettlement(market, logs, settled)
      const amount = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      const surplus = booked.surpluses.map((one) => ({ ...one, amount: amount(one.amount) }))
      const data = {
        liquidationId,
        marketId: record.marketId,
        ...provenBy(proof),
        usdcProceeds: amount(booked.cash),
        finalLegProceeds: amount(finalLeg(market, logs, proof.logIndex)),
        settlement: shownBooking(booked, realizationId, market),
        ...(surplus.length > 0 ? { surplus } : {}),
        settledAt: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type Settle = ReturnType<typeof createSettle>
