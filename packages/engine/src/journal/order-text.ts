import type { OrderView } from '../unit/order-view.ts'
import { canonicalText, quoted } from './canonical-text.ts'
import { amount, amountOrNull, quotedOrNull } from './field-text.ts'

/** The canonical text of an order, field by field: a snapshot has every order in it. A test holds it against the text of all keys. */
export const orderText = (order: OrderView): string =>
  `{"account":${quoted(order.account)},"bandExempt":${order.bandExempt},"baseCarry":${order.baseCarry},"book":${quoted(order.book)},"born":${order.born},"expiresAt":${order.expiresAt},"id":${quoted(order.id)},"marketMaker":${order.marketMaker},"maxFee":${amountOrNull(order.maxFee)},"maxFeeBps":${order.maxFeeBps},"placedQuantity":${amount(order.placedQuantity)},"postOnly":${order.postOnly},"price":${amount(order.price)},"quantity":${amount(order.quantity)},"quoteCarry":${order.quoteCarry},"reason":${quotedOrNull(order.reason)},"remaining":${amount(order.remaining)},"reserved":${amount(order.reserved)},"selfTradePrevention":"${order.selfTradePrevention}","side":"${order.side}","status":"${order.status}","timeInForce":"${order.timeInForce}","turn":${order.turn},"unsettled":${order.unsettled},"vetoes":${order.vetoes === null ? 'null' : canonicalText(order.vetoes)}}`
