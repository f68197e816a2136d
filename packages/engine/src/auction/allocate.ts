import { type Amount, isWorthless, notionalDown, plus, smaller } from '../amounts.ts'
import { end, tellChange } from '../orders/order-states.ts'
import { fill } from '../orders/trade.ts'
import { isLive, type Order, vetoBetween } from '../unit/order.ts'
import { tell, type Unit } from '../unit/unit.ts'

/** Trades buyers with sellers at one price, each side by price and then by time, until one side has no more. */
export function allocate(unit: Unit, orders: readonly Order[], price: Amount): Amount {
  const buyers = inTurn(orders.filter((order) => order.side === 'BUY' && order.price >= price))
  const sellers = inTurn(orders.filter((order) => order.side === 'SELL' && order.price <= price))
  let volume: Amount = 0
  for (const buyer of buyers) {
    for (const seller of sellers) {
      if (!isLive(buyer)) break
      if (isLive(seller) && mayMeet(unit, buyer, seller)) volume = plus(volume, pair(unit, buyer, seller, price))
    }
  }
  return volume
}

function inTurn(orders: Order[]): Order[] {
  const isBetter = (a: Order, b: Order) => (a.side === 'BUY' ? a.price > b.price : a.price < b.price)
  return orders.sort((a, b) => (a.price === b.price ? a.turn - b.turn : isBetter(a, b) ? -1 : 1))
}

/** Who came first is the maker. */
const roles = (a: Order, b: Order): [maker: Order, taker: Order] => (a.turn < b.turn ? [a, b] : [b, a])

function mayMeet(unit: Unit, buyer: Order, seller: Order): boolean {
  const [maker, taker] = roles(buyer, seller)
  const isGuarded = buyer.terms.selfTradePrevention !== 'NONE' || seller.terms.selfTradePrevention !== 'NONE'
  if (isGuarded && buyer.account === seller.account) return false
  const rule = vetoBetween(taker, maker)
  if (rule !== null) tell(unit, { kind: 'skipped', takerOrder: taker.id, makerOrder: maker.id, rule })
  return rule === null
}

function pair(unit: Unit, buyer: Order, seller: Order, price: Amount): Amount {
  const quantity = smaller(buyer.remaining, seller.remaining)
  const notional = notionalDown(quantity, price)
  const [maker, taker] = roles(buyer, seller)
  if (notional > 0) fill(unit, maker, taker, quantity, price, notional, 'AUCTION')
  for (const order of [maker, taker]) conclude(unit, order, price, notional > 0)
  return notional > 0 ? quantity : 0
}

function conclude(unit: Unit, order: Order, price: Amount, hasTraded: boolean): void {
  if (order.remaining === 0) end(unit, order, 'FILLED', null)
  else if (isWorthless(order.remaining, price)) end(unit, order, 'CANCELLED', 'TOO_SMALL_TO_TRADE')
  else if (hasTraded) tellChange(unit, order, 0, 0)
}
