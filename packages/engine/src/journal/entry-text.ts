import type { Command, Place } from '../commands.ts'
import type { Accepted, EngineEvent, LevelChanged, OrderChanged, Trade } from '../events.ts'
import { canonicalText, quoted } from './canonical-text.ts'
import { amount, amountOrNull, quotedOrNull } from './field-text.ts'

/**
 * The canonical text of an entry. What comes with every order is written field by field, in a third of the time that looking at its keys takes;
 * a test holds each of these against the text of all keys. Words of our own (sides, states) need no look at their characters.
 */
export function entryText(version: number, number: number, command: Command, events: readonly EngineEvent[]): string {
  let list = ''
  for (const event of events) list += list === '' ? eventText(event) : `,${eventText(event)}`
  return `{"command":${commandText(command)},"events":[${list}],"number":${number},"version":${version}}`
}

const commandText = (command: Command): string =>
  command.kind === 'place' && isPlain(command) ? placeText(command) : canonicalText(command)

const isPlain = ({ expiresAt, maxFee, budget, bandExempt, vetoes }: Place): boolean =>
  expiresAt === undefined &&
  maxFee === undefined &&
  budget === undefined &&
  bandExempt === undefined &&
  vetoes === undefined

function placeText(command: Place): string {
  const { marketMaker, postOnly, price, selfTradePrevention } = command
  return `{"account":${quoted(command.account)},"at":${command.at},"book":${quoted(command.book)},"kind":"place"${
    marketMaker === undefined ? '' : `,"marketMaker":${marketMaker}`
  },"order":${quoted(command.order)}${postOnly === undefined ? '' : `,"postOnly":${postOnly}`}${
    price === undefined ? '' : `,"price":${amount(price)}`
  },"quantity":${amount(command.quantity)}${
    selfTradePrevention === undefined ? '' : `,"selfTradePrevention":"${selfTradePrevention}"`
  },"side":"${command.side}","timeInForce":"${command.timeInForce}","type":"${command.type}"}`
}

function eventText(event: EngineEvent): string {
  switch (event.kind) {
    case 'accepted':
      return acceptedText(event)
    case 'orderChanged':
      return orderChangedText(event)
    case 'trade':
      return tradeText(event)
    case 'level':
      return levelText(event)
    default:
      return canonicalText(event)
  }
}

const acceptedText = (event: Accepted): string =>
  `{"account":${quoted(event.account)},"book":${quoted(event.book)},"kind":"accepted","order":${quoted(event.order)},"reserved":${amount(event.reserved)},"side":"${event.side}","status":"${event.status}"}`

const orderChangedText = (event: OrderChanged): string =>
  `{"account":${quoted(event.account)},"added":${amount(event.added)},"book":${quoted(event.book)},"kind":"orderChanged","order":${quoted(event.order)},"price":${amountOrNull(event.price)},"quantity":${amount(event.quantity)},"reason":${quotedOrNull(event.reason)},"released":${amount(event.released)},"remaining":${amount(event.remaining)},"reserved":${amount(event.reserved)},"side":"${event.side}","status":"${event.status}"}`

const tradeText = (event: Trade): string =>
  `{"book":${quoted(event.book)},"buyerPays":${amount(event.buyerPays)},"kind":"trade","makerAccount":${quoted(event.makerAccount)},"makerFee":${amount(event.makerFee)},"makerFeeQuote":${amount(event.makerFeeQuote)},"makerOrder":${quoted(event.makerOrder)},"notional":${amount(event.notional)},"origin":"${event.origin}","price":${amount(event.price)},"quantity":${amount(event.quantity)},"sellerGets":${amount(event.sellerGets)},"side":"${event.side}","staged":${event.staged},"takerAccount":${quoted(event.takerAccount)},"takerBook":${quotedOrNull(event.takerBook)},"takerFee":${amount(event.takerFee)},"takerFeeQuote":${amount(event.takerFeeQuote)},"takerOrder":${quoted(event.takerOrder)},"trade":${event.trade}}`

const levelText = (event: LevelChanged): string =>
  `{"kind":"level","ladder":${quoted(event.ladder)},"orders":${event.orders},"price":${amount(event.price)},"quantity":${amount(event.quantity)},"side":"${event.side}"}`
