import type { EndReason, EngineEvent } from '@tallystick/engine'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import type { Turn } from '../unit/index.ts'
import type { Never, NeverReason } from './mortality.rules.ts'

export interface SettledTrade {
  readonly settlementId: string
  readonly number: number
  readonly by: MinedTransaction
}

export interface FailedTrade {
  readonly number: number
  readonly never: Never
}

/** What a dead order is taken out of the book with, so that what comes back to it does not rest again. */
const endReasons: Partial<Record<NeverReason, EndReason>> = {
  ORDER_CANCELLED: 'CANCELLED_ON_CHAIN',
  NONCE_BELOW_FLOOR: 'NONCE_INVALIDATED',
  ORDER_BEFORE_SPLIT: 'TOKEN_SPLIT',
  ORDER_EXPIRED: 'ORDER_EXPIRED',
}

const isRefused = (events: readonly EngineEvent[]) => events.some(({ kind }) => kind === 'refused')

/** Ends trades in the unit, for ever. What another process has ended meanwhile is refused there and stays as it is. */
export function recordOutcomes(turn: Turn, settled: readonly SettledTrade[], failed: readonly FailedTrade[]): void {
  for (const { number, never } of failed) {
    const { deadOrder, reason } = never
    const endReason = endReasons[reason]
    if (deadOrder && endReason) turn.execute({ kind: 'cancel', at: 0, order: deadOrder.orderId, reason: endReason })
    turn.execute({ kind: 'unwind', at: 0, trade: number, reason })
  }
  for (const { settlementId, number, by } of settled) {
    if (isRefused(turn.execute({ kind: 'settle', at: 0, trade: number }).events)) continue
    // Once no trade of it waits any more, the unit writes how it ended instead.
    turn.changeSettlement(settlementId, {
      status: 'PENDING',
      tx_hash: by.hash,
      block_number: by.block.number.toString(),
      gas_used: by.gasUsed.toString(),
      error: null,
    })
  }
}
