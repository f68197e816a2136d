import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { LendingParts } from '../parts.ts'
import { booksReads, findShelf, realizationRead, requireBooks } from './books.ts'
import { amountIn, createConfirmation, instantOf, minedAt, provenBy } from './confirmation.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { countersignCall, timeoutCall } from './liquidation.call.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { createLookup, type LiquidationCall } from './lookup.service.ts'
import { builtFor, createRouterWrites } from './router-write.service.ts'
import { bookedDraw } from './settlement-events.ts'
import { partyReads, requireParty } from './signer.ts'
import { writeOffOf } from './waterfall.rules.ts'
import { shownReserve, shownWriteOff } from './waterfall-shown.rules.ts'

const TIMEOUT_SECONDS = 7 * 86_400

function requireOpenRecord<T extends { readonly status: number }>(realization: T): T {
  if (statusOf(realization.status) !== 'PENDING') throw new AppError('ALREADY_SETTLED')
  return realization
}

function requireAnswer<T>(result: ReadResult<T>): T {
  if (!result.ok) throw new AppError('ROUTER_UNREADABLE')
  return result.value
}

/** What the market admin decides about a record of the market: its write-off, and whether the fund covers a cheap sale. */
export function createRealizationDecisions(parts: LendingParts) {
  const lookup = createLookup(parts)
  const write = createRouterWrites(parts)
  const confirm = createConfirmation(parts)

  return {
    async buildTimeout(call: LiquidationCall) {
      const located = await lookup.inMarket(call)
      const { record, chain, realizationId } = located
      const { market, wallets } = record
      const shelf = await findShelf(located)
      const { block, results } = await readNamed(chain, {
        ...booksReads(located, shelf),
        roleHeld: partyReads(record, 'marketAdmin', wallets),
      })
      const signing = requireParty(record, 'marketAdmin', wallets, results.roleHeld)
      const { realization, around } = requireBooks(results)
      requireOpenRecord(realization)
      // The market still refuses in the very last second of the seven days.
      const eligibleAt = realization.seizedAt + TIMEOUT_SECONDS + 1
      if (block.time < eligibleAt)
        throw new AppError('LIQUIDATION_NOT_TIMED_OUT', { extra: { eligibleAt: instantOf(eligibleAt) } })
      const built = await write(located, timeoutCall, { realizationId }, signing.signer)
      const data = {
        ...builtFor(call, located, 'handle-timeout'),
        ...built,
        ...signing,
        marketLiquidationId: realizationId.toString(),
        gasLimit: gasLimitOf(built.simulation),
        preview: shownWriteOff(writeOffOf(realization, around), realization, market.borrowDecimals),
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirmTimeout(call: LiquidationCall, txHash: string) {
      const { record, chain, liquidationId, realizationId } = await lookup.inMarket(call)
      const { market } = record
      const proof = await confirm(call, {
        record,
        chain,
        pair: timeoutCall,
        expected: { realizationId },
        txHash,
        revertCode: 'TIMEOUT_TX_REVERTED',
      })
      const drawn = bookedDraw(market, proof.transaction.logs, realizationId.toString())
      const data = {
        liquidationId,
        marketId: record.marketId,
        ...provenBy(proof),
        marketLiquidationId: realizationId.toString(),
        claim: formatUnits(amountIn(proof, 'claim'), market.borrowDecimals),
        reserve: drawn && shownReserve(drawn, market.borrowDecimals),
        at: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },

    async buildCountersign(call: LiquidationCall) {
      const located = await lookup.inMarket(call)
      const { record, chain, realizationId } = located
      const { market, wallets } = record
      const { block, results } = await readNamed(chain, {
        realization: realizationRead(market, realizationId),
        roleHeld: partyReads(record, 'marketAdmin', wallets),
      })
      const signing = requireParty(record, 'marketAdmin', wallets, results.roleHeld)
      const realization = requireOpenRecord(requireAnswer(results.realization))
      if (realization.isCountersigned) throw new AppError('ALREADY_COUNTERSIGNED')
      const built = await write(located, countersignCall, { realizationId }, signing.signer)
      const data = {
        ...builtFor(call, located, 'countersign'),
        ...built,
        ...signing,
        marketLiquidationId: realizationId.toString(),
        claim: formatUnits(realization.claim, market.borrowDecimals),
        floorValue: formatUnits(realization.floorValue, market.borrowDecimals),
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirmCountersign(call: LiquidationCall, txHash: string) {
      const { record, chain, liquidationId, realizationId } = await lookup.inMarket(call)
      const proof = await confirm(call, {
        record,
        chain,
        pair: countersignCall,
        expected: { realizationId },
        txHash,
        revertCode: 'COUNTERSIGN_TX_REVERTED',
      })
      const data = {
        liquidationId,
        marketId: record.marketId,
        ...provenBy(proof),
        marketLiquidationId: realizationId.toString(),
        at: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type RealizationDecisions = ReturnType<typeof createRealizationDecisions>
