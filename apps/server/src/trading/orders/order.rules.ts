import { minus } from '@tallystick/engine'
import type { OrderRecord, PlacedOrderRecord } from '@tallystick/wire'
import { asTrade } from '../reads/index.rules.ts'
import type { Folded, OrderRow } from '../unit/index.rules.ts'

/** An order as it is stored. */
export interface OrderView {
  readonly orderId: string
  readonly unitId: string
  readonly bookId: string
  readonly instanceId: string
  readonly accountId: string
  readonly holder: string
  readonly clientOrderId: string | null
  readonly side: 'BUY' | 'SELL'
  readonly orderType: 'LIMIT' | 'MARKET'
  readonly price: bigint | null
  readonly quantity: bigint
  readonly filled: bigint
  readonly status: OrderRecord['status']
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly postOnly: boolean
  readonly stpMode: OrderRecord['selfTradePreventionMode']
  readonly auctionId: string | null
  readonly lockId: string | null
  readonly cancelReason: string | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

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
  {
    trades,
    isSelfTradePrevented,
    auction,
  }: Omit<Folded, 'ended'> & { readonly auction?: { readonly auctionId: string; readonly endsAt: Date } | null },
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
    ...(auction ? { auctionId: auction.auctionId, auctionEndsAt: auction.endsAt.toISOString() } : {}),
  }
}

/** One order of a batch is refused in the words it would have been refused in alone. */
export const asRefusedOrder = (
  { code, detail, extra }: { readonly code: string; readonly detail: string | undefined; readonly extra: object },
  table: Readonly<Record<string, { readonly message: string } | undefined>>,
) => ({ code, message: detail ?? table[code]?.message ?? code, ...extra })
