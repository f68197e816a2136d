import {
  type Amend,
  type Amount,
  exact,
  type Place,
  type RefusalCode,
  type Refused,
  type SelfTradePrevention,
} from '@tallystick/engine'
import type { PlacedOrderRecord } from '@tallystick/wire'
import { type AppCode, AppError, fieldError } from '../../platform/app-error.ts'
import { asDecimal, toleranceOf } from '../books/index.rules.ts'
import { accountOf, type Party } from '../unit/index.rules.ts'
import type { AccountFacts, BookFacts, Turn } from '../unit/index.ts'
import { asPlaced } from './order.rules.ts'

export interface OrderRequest {
  readonly customerRef: string
  readonly side: 'BUY' | 'SELL'
  readonly orderType: 'LIMIT' | 'MARKET'
  readonly price?: string
  readonly quantity: string
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  readonly postOnly?: boolean
  readonly selfTradePreventionMode?: SelfTradePrevention
  readonly clientOrderId?: string
}

const amountOf = (text: string): Amount => exact(BigInt(text))

/** A paused or closed off-chain book is not found, like one that is not there. */
const renamedOffchain: Partial<Record<RefusalCode, AppCode>> = { ORDER_BOOK_INACTIVE: 'ORDER_BOOK_NOT_FOUND' }

/** The unit's refusal in the words of the interface. */
export function asRefusal({ code, details }: Refused, renamed: Partial<Record<RefusalCode, AppCode>> = {}): AppError {
  const name = renamed[code] ?? code
  // No order is refused with these: they answer commands that only the service itself gives.
  if (
    name === 'POOL_MISMATCH' ||
    name === 'SETTLEMENT_PENDING' ||
    name === 'AUCTION_OPEN' ||
    name === 'AUCTION_NOT_OPEN' ||
    name === 'TRADE_NOT_FOUND'
  )
    throw new Error(`an order was refused with ${name}`)
  // What else these two stand for was found before the unit was asked.
  if (name === 'PRICE_REQUIRED')
    return new AppError(name, { detail: 'The book is in an auction, which takes LIMIT orders only.' })
  if (name === 'VALIDATION_ERROR')
    return fieldError(name, [
      { field: 'timeInForce', message: 'FOK and postOnly cannot wait for the end of an auction' },
    ])
  if (name === 'PRICE_OUTSIDE_BAND')
    return new AppError(name, {
      extra: {
        referencePrice: asDecimal(details?.referencePrice ?? 0),
        lowerBound: asDecimal(details?.lowerBound ?? 0),
        upperBound: asDecimal(details?.upperBound ?? 0),
        spreadBps: details?.spreadBps ?? 0,
      },
    })
  return new AppError(name, details?.step === undefined ? {} : { extra: { step: details.step.toString() } })
}

/** What can be said without looking at the book. */
export function checkForm({ orderType, price, postOnly, timeInForce = 'GTC' }: OrderRequest): void {
  if (orderType === 'LIMIT' && price === undefined) throw new AppError('PRICE_REQUIRED')
  const faults = [
    ...(orderType === 'MARKET' && price !== undefined
      ? [{ field: 'price', message: 'must be absent on a MARKET order' }]
      : []),
    ...(postOnly && (orderType === 'MARKET' || timeInForce !== 'GTC')
      ? [{ field: 'postOnly', message: 'needs a LIMIT order that rests (GTC)' }]
      : []),
  ]
  if (faults.length > 0) throw fieldError('VALIDATION_ERROR', faults)
}

/** What holds for every order of the book at this moment. */
export function requireTradable(turn: Turn, bookId: string, party: Party): BookFacts {
  const book = turn.book(bookId)
  if (book?.status !== 'ACTIVE') throw new AppError('ORDER_BOOK_NOT_FOUND')
  requireFreshPrice(turn, book)
  for (const tokenAddress of [book.tokenAddress, book.quoteTokenAddress])
    if (!turn.money().keeps(party, tokenAddress))
      throw new AppError('TOKEN_NOT_REGISTERED', { extra: { tokenAddress } })
  return book
}

function staleness(turn: Turn, book: BookFacts): 'PRICE_REF_UNAVAILABLE' | 'PRICE_REF_STALE' | null {
  if (!book.priceRefEnabled || !book.priceRefHaltOnStale) return null
  if (book.priceRefLastUpdated === null) return 'PRICE_REF_UNAVAILABLE'
  const age = (turn.at.getTime() - book.priceRefLastUpdated.getTime()) / 1000
  return age > toleranceOf(book) ? 'PRICE_REF_STALE' : null
}

/** The book waits for a reference price. */
export const isStale = (turn: Turn, book: BookFacts): boolean => staleness(turn, book) !== null

export function requireFreshPrice(turn: Turn, book: BookFacts): void {
  const code = staleness(turn, book)
  if (code) throw new AppError(code)
}

function requireFunds(turn: Turn, party: Party, tokenAddress: string, required: Amount): void {
  const available = turn.money().available(party, tokenAddress) ?? 0
  if (required > available)
    throw new AppError('INSUFFICIENT_BALANCE', {
      extra: { required: asDecimal(required), available: asDecimal(available), tokenAddress },
    })
}

/** The account of whoever wants to trade on the book, if there is one. */
export function requirePermitted(turn: Turn, party: Party, bookId: string): AccountFacts | undefined {
  const account = turn.account(party)
  const isPermitted = account?.permittedBooks?.includes(bookId) ?? true
  if (account && (account.status !== 'ACTIVE' || !isPermitted)) throw new AppError('MM_CONFIG_VIOLATION')
  return account
}

export function requireNewName(turn: Turn, party: Party, clientOrderId: string | null): void {
  const taken = clientOrderId === null ? undefined : turn.orderNamed(party, clientOrderId)
  if (taken !== undefined) throw new AppError('DUPLICATE_CLIENT_ORDER_ID', { extra: { orderId: taken } })
}

/** One order, from the gate to the answer. Refuses before anything happened. */
export function placeOrder(
  turn: Turn,
  book: BookFacts,
  party: Party,
  orderId: string,
  request: OrderRequest,
): PlacedOrderRecord {
  const account = requirePermitted(turn, party, book.bookId)
  const { clientOrderId = null } = request
  requireNewName(turn, party, clientOrderId)

  const command: Place = {
    kind: 'place',
    at: 0,
    order: orderId,
    book: book.bookId,
    account: accountOf(party),
    side: request.side,
    type: request.orderType,
    timeInForce: request.timeInForce ?? 'GTC',
    postOnly: request.postOnly ?? false,
    selfTradePrevention: request.selfTradePreventionMode ?? 'NONE',
    ...(request.price === undefined ? {} : { price: amountOf(request.price) }),
    quantity: amountOf(request.quantity),
    marketMaker: account?.isMarketMaker ?? false,
  }
  const needed = turn.needed(command)
  requireFunds(turn, party, request.side === 'SELL' ? book.tokenAddress : book.quoteTokenAddress, needed)
  const placed = turn.place(command, {
    orderId,
    bookId: book.bookId,
    instanceId: party.instanceId,
    // Without an account there is no balance, and without a balance no order that is taken.
    accountId: account?.accountId ?? '',
    holder: party.holder,
    clientOrderId,
    side: request.side,
    orderType: request.orderType,
    timeInForce: command.timeInForce,
    postOnly: command.postOnly ?? false,
    stpMode: command.selfTradePrevention ?? 'NONE',
    expiresAt: null,
  })
  if ('refused' in placed) throw asRefusal(placed.refused, renamedOffchain)
  return asPlaced(placed.order, placed)
}

/** A change of a resting order. More of it needs more reserved; it may trade at once. */
export function amendOrder(turn: Turn, party: Party, orderId: string, request: { price?: string; quantity?: string }) {
  const order = turn.order(orderId)
  const book = order && turn.book(order.book)
  if (!book || order.account !== accountOf(party)) throw new AppError('ORDER_NOT_FOUND')
  requireFreshPrice(turn, book)
  const command: Amend = {
    kind: 'amend',
    at: 0,
    order: orderId,
    account: order.account,
    ...(request.price === undefined ? {} : { price: amountOf(request.price) }),
    ...(request.quantity === undefined ? {} : { quantity: amountOf(request.quantity) }),
  }
  requireFunds(turn, party, order.side === 'SELL' ? book.tokenAddress : book.quoteTokenAddress, turn.needed(command))
  const done = turn.execute(command)
  const [first] = done.events
  if (first?.kind === 'refused') throw asRefusal(first, renamedOffchain)
  return done
}
