import type { BalanceChange } from './money.rules.ts'
import { asRowArray, plainField, textField, timeField } from './row-text.rules.ts'
import type { DayRow, OrderChange, OrderRow, TradeRow, UsedClientOrderId } from './unit-rows.rules.ts'

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

/** A key by its name; an instance has one of each. */
export type KeyName = Pick<KeptKey, 'operation' | 'key'>

/** A key that was used before; null: somebody is at it. */
export interface FoundKey {
  readonly operation: string
  readonly key: string
  readonly fingerprint: string | null
  readonly status: number | null
  readonly body: string | null
}

/** The rows of a group as its journal holds them; their times are the group's. In the order of the types in the database. */
export const orderRowsText = (rows: readonly OrderRow[]): string =>
  asRowArray(
    rows,
    (row) =>
      `${row.orderId},${row.bookId},${textField(row.accountId)},${textField(row.holder)},${textField(row.clientOrderId)},${row.side},${row.orderType},${plainField(row.price)},${row.quantity},${row.filled},${row.status},${row.timeInForce},${row.postOnly},${row.stpMode},${textField(row.cancelReason)},${timeField(row.expiresAt)},${plainField(row.auctionId)},${row.sequence}`,
  )

export const orderChangesText = (rows: readonly OrderChange[]): string =>
  asRowArray(
    rows,
    (row) =>
      `${row.orderId},${plainField(row.price)},${row.quantity},${row.filled},${row.status},${textField(row.cancelReason)}`,
  )

export const tradeRowsText = (rows: readonly TradeRow[]): string =>
  asRowArray(
    rows,
    (row) =>
      `${row.tradeId},${row.number},${row.sequence},${row.origin},${row.makerBookId},${row.takerBookId},${row.makerOrderId},${row.takerOrderId},${textField(row.makerHolder)},${textField(row.takerHolder)},${row.side},${row.price},${row.quantity},${row.notional},${row.makerFee},${row.takerFee},${row.makerQuoteFee},${row.takerQuoteFee}`,
  )

export const balanceChangesText = (rows: readonly BalanceChange[]): string =>
  asRowArray(rows, (row) => `${textField(row.holder)},${textField(row.tokenAddress)},${row.available},${row.reserved}`)

/** A line for each. Neither operations nor keys have spaces, and an answer is one line. */
export const keysText = (keys: readonly KeptKey[]): string =>
  keys
    .map(({ operation, key, fingerprint, status, body }) => `${operation} ${key} ${fingerprint} ${status} ${body}`)
    .join('\n')
