import type { BalanceChange } from './money.rules.ts'
import type { DayRow, EntryRow, OrderChange, OrderRow, TradeRow, UsedClientOrderId } from './unit-rows.rules.ts'

export interface LaneGroup {
  readonly laneId: string
  readonly sequence: bigint
  readonly groupId: string
  /** Null: nothing was journalled. */
  readonly unit: { readonly unitId: string; readonly version: bigint; readonly headHash: string } | null
  readonly at: Date
  readonly entries: readonly { readonly number: number; readonly body: string; readonly hash: string }[]
  readonly orders: readonly OrderRow[]
  readonly changes: readonly OrderChange[]
  readonly trades: readonly TradeRow[]
  readonly days: readonly DayRow[]
  readonly balances: readonly BalanceChange[]
  readonly movements: readonly EntryRow[]
  readonly usedIds: readonly UsedClientOrderId[]
  readonly keys: readonly KeptKey[]
}

/** An idempotency key with the answer that it led to. */
export interface KeptKey {
  readonly operation: string
  readonly key: string
  /** In hex. */
  readonly fingerprint: string
  readonly status: number
  readonly body: string
}

/** A key that was used before; null: somebody is at it. */
export interface FoundKey {
  readonly operation: string
  readonly key: string
  readonly fingerprint: string | null
  readonly status: number | null
  readonly body: string | null
}
