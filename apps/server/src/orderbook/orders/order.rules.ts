import { minus } from '@tallystick/engine'
import type { OrderRecord, PlacedOrderRecord } from '@tallystick/wire'
import { asTrade } from '../reads/trade.rules.ts'
import type { Folded } from '../unit/fold.rules.ts'
import type { OrderRow } from '../unit/unit-rows.rules.ts'
import type { OrderView } from './orders.store.ts'

export function asOrder(row: OrderRow | OrderView): OrderRecord {
  return {
    id: row.orderId,
    orderId: row.orderId,
    orderBookId: row.bookId,
    instanceId: row.instanceId,
    userAddress: row.holder,
    accountId: row.accountId,
    clientOrderId: row.clientOrderId,
    side: row.side,
    orderType: row.orderType,
    price: row.price?.toString() ?? null,
    quantity: row.quantity.toString(),
    filledQuantity: row.filled.toString(),
    remainingQuantity: minus(row.quantity, row.filled).toString(),
    status: row.status,
    timeInForce: row.timeInForce,
    postOnly: row.postOnly,
    selfTradePreventionMode: row.stpMode,
    auctionId: 'auctionId' in row ? row.auctionId : null,
    lockId: 'lockId' in row ? row.lockId : null,
    cancelReason: row.cancelReason,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function asPlaced(
  row: OrderRow | OrderView,
  { trades, isSelfTradePrevented }: Omit<Folded, 'ended'>,
): PlacedOrderRecord {
  const order = asOrder(row)
  return {
    order,
    trades: trades.map(asTrade),
    filledQuantity: order.filledQuantity,
    remainingQuantity: order.remainingQuantity,
    status: order.status,
    stpTriggered: isSelfTradePrevented,
    cancelReason: order.cancelReason,
  }
}
