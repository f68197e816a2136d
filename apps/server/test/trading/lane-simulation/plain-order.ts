import type { Place } from '@tallystick/engine'
import { AppError } from '../../../src/platform/app-error.ts'
import { accountOf } from '../../../src/trading/unit/party.rules.ts'
import type { Turn } from '../../../src/trading/unit/turn.ts'

export interface PlainOrder {
  /** The unit, and its only book. */
  readonly unitId: string
  readonly holder: string
  readonly side: 'BUY' | 'SELL'
  readonly price: number
  readonly quantity: number
  readonly clientOrderId: string | null
}

/** An order with what a ledger asks of it, and nothing else: a new name, and enough money. */
export function placePlainly(turn: Turn, instanceId: string, orderId: string, order: PlainOrder): string {
  const { unitId, holder, side, price, quantity, clientOrderId } = order
  const party = { instanceId, holder }
  const taken = clientOrderId === null ? undefined : turn.orderNamed(party, clientOrderId)
  if (taken !== undefined) throw new AppError('DUPLICATE_CLIENT_ORDER_ID', { extra: { orderId: taken } })
  const book = turn.book(unitId)
  if (!book) throw new Error('there is no such book')
  const command: Place = {
    kind: 'place',
    at: 0,
    order: orderId,
    book: unitId,
    account: accountOf(party),
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price,
    quantity,
  }
  const available = turn.money().available(party, side === 'SELL' ? book.tokenAddress : book.quoteTokenAddress)
  if (turn.needed(command) > (available ?? 0)) throw new AppError('INSUFFICIENT_BALANCE')
  const placed = turn.place(command, {
    orderId,
    bookId: unitId,
    instanceId,
    accountId: turn.account(party)?.accountId ?? '',
    holder,
    clientOrderId,
    side,
    orderType: 'LIMIT',
    timeInForce: 'GTC',
    postOnly: false,
    stpMode: 'NONE',
    expiresAt: null,
  })
  if ('refused' in placed) throw new Error(`refused: ${placed.refused.code}`)
  return orderId
}
