import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { fieldError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { LendingParts } from '../parts.ts'
import { approveStep, buildSteps } from '../steps.ts'
import { amountIn, createConfirmation, minedAt, provenBy } from './confirmation.ts'
import { reportPartialSaleCall } from './liquidation.call.ts'
import { createLookup, type LiquidationCall } from './lookup.service.ts'
import { requirePositive } from './positive.ts'
import { builtFor, liquidationRead, requireOpen } from './router-write.service.ts'
import { partyReads, requireParty } from './signer.ts'

type SaleBody = BodyOf<typeof lendingOperations.reportPartialSale>

/** Both are needed to build: told together, before anything is looked up. */
function requireSale({ collateralSold, usdcProceeds }: SaleBody) {
  const missing = Object.entries({ collateralSold, usdcProceeds }).filter(([, value]) => value === undefined)
  if (collateralSold === undefined || usdcProceeds === undefined)
    throw fieldError(
      'VALIDATION_ERROR',
      missing.map(([field]) => ({ field, message: 'is required' })),
    )
  requirePositive('collateralSold', collateralSold)
  requirePositive('usdcProceeds', usdcProceeds)
  return { collateralSold, usdcProceeds }
}

/** Cash of a sale comes in and waits for the settlement. */
export function createPartialSale(parts: LendingParts) {
  const lookup = createLookup(parts)
  const confirm = createConfirmation(parts)
  const { clock } = parts

  return {
    async build(call: LiquidationCall, body: SaleBody) {
      const wished = requireSale(body)
      const located = await lookup.onRouter(call)
      const { record, chain, id } = located
      const { market, wallets } = record
      const sold = requirePositive('collateralSold', wished.collateralSold, market.collateralDecimals)
      const proceeds = requirePositive('usdcProceeds', wished.usdcProceeds, market.borrowDecimals)
      const { block, results } = await readNamed(chain, {
        liquidation: liquidationRead(located),
        held: partyReads(record, 'operator', wallets),
      })
      const signing = requireParty(record, 'operator', wallets, results.held)
      const { collateralAmount, collateralRemaining, proceedsCollected } = requireOpen(results.liquidation)
      const cash = `${formatUnits(proceeds, market.borrowDecimals)} ${market.borrowSymbol}`
      const { built, calls } = await buildSteps(
        chain,
        signing.signer,
        [
          approveStep(market.borrowAsset, market.router, proceeds, `Lets the router take ${cash}.`),
          {
            call: reportPartialSaleCall.prepare(market.router, { id, collateralSold: sold, proceeds }),
            functionName: reportPartialSaleCall.functionName,
            description: `Brings ${cash} of a sale to the router.`,
          },
        ],
        clock,
      )
      const data = {
        ...builtFor(call, located, 'report-partial-sale'),
        ...built,
        confirmStepIndex: 1,
        ...signing,
        collateralSold: formatUnits(sold, market.collateralDecimals),
        usdcProceeds: formatUnits(proceeds, market.borrowDecimals),
        proceedsCollected: formatUnits(proceedsCollected, market.borrowDecimals),
        collateralOut: formatUnits(collateralAmount - collateralRemaining, market.collateralDecimals),
      }
      return { data, block, calls }
    },

    async confirm(call: LiquidationCall, txHash: string) {
      const { record, chain, id, liquidationId } = await lookup.onRouter(call)
      const { market } = record
      const proof = await confirm(call, {
        record,
        chain,
        pair: reportPartialSaleCall,
        expected: { id },
        txHash,
        revertCode: 'PARTIAL_SALE_TX_REVERTED',
      })
      const data = {
        liquidationId,
        marketId: record.marketId,
        ...provenBy(proof),
        collateralSold: formatUnits(amountIn(proof, 'collateralSold'), market.collateralDecimals),
        usdcProceeds: formatUnits(amountIn(proof, 'proceeds'), market.borrowDecimals),
        at: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type PartialSale = ReturnType<typeof createPartialSale>
