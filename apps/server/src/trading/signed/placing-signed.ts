import type { MakerView, Veto } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import { asRefusal, requireFreshPrice, requireNewName, requirePermitted } from '../orders/index.ts'
import type { SignedOrder as SignedColumns } from '../unit/index.rules.ts'
import type { Placed, Turn } from '../unit/index.ts'
import { exactChainAmount, unitsDown } from './chain-units.rules.ts'
import type { Hindrance } from './delivery.rules.ts'
import type { Draft } from './draft.ts'
import type { CheckedMaker } from './makers.ts'
import type { OnchainBook } from './onchain-book.ts'
import { endedOnChain, type OrderState } from './order-state.rules.ts'

/** What the chain said about a new order before its turn came. */
export interface OwnFacts {
  readonly state: OrderState
  /** Smallest units of what it spends. */
  readonly backing: bigint
  readonly hindrance: Hindrance | null
}

export interface Asked {
  readonly draft: Draft
  readonly own: OwnFacts
  /** By order id; grows until everybody whom the order meets was looked at. */
  readonly makers: ReadonlyMap<string, CheckedMaker>
}

/** Whom it would meet without their having been looked at: nothing was done. */
export interface Unchecked {
  readonly unchecked: readonly MakerView[]
}

/** What holds for every order of the book at this moment. */
export function requireOpen(turn: Turn, bookId: string, isBandExempt: boolean): void {
  const book = turn.book(bookId)
  if (book?.status !== 'ACTIVE') throw new AppError(isBandExempt ? 'ORDER_BOOK_NOT_FOUND' : 'ORDER_BOOK_INACTIVE')
  if (!isBandExempt) requireFreshPrice(turn, book)
}

export function requireLive({ signed }: Pick<Draft, 'signed'>, { state }: Pick<OwnFacts, 'state'>): void {
  const ended = endedOnChain(signed, state)
  if (ended === null && state.filled === 0n) return
  const remaining = ended === null || ended === 'FILLED_ON_CHAIN' ? signed.quantity - state.filled : undefined
  throw new AppError('ORDER_NOT_LIVE', {
    extra: {
      reason: ended ?? 'FILLED_ON_CHAIN',
      ...(remaining === undefined ? {} : { remainingBase: remaining.toString() }),
    },
  })
}

function requireBacked(turn: Turn, book: OnchainBook, { party, command, signed }: Draft, { backing }: OwnFacts): void {
  const [tokenAddress, decimals] = signed.isBuy ? [book.quote, book.quoteDecimals] : [book.token, book.baseDecimals]
  const needed = BigInt(turn.needed(command))
  const reserved = BigInt(turn.custody().reserved(party.holder, tokenAddress))
  const available = unitsDown(backing, decimals) - reserved
  if (needed <= available) return
  const onChain = (units: bigint) => (exactChainAmount(units, decimals) ?? 0n).toString()
  throw new AppError('INSUFFICIENT_CUSTODY_BALANCE', {
    extra: { required: onChain(needed), available: onChain(available < 0n ? 0n : available), tokenAddress },
  })
}

export const refuseDelivery = ({ rule, deliveryCode }: Hindrance) =>
  new AppError('DELIVERY_NOT_ALLOWED', {
    extra: { rule, ...(deliveryCode === undefined ? {} : { deliveryCode }) },
  })

/** What the chain has against the taker shows first where it meets somebody. */
function requireDeliverable({ signed }: Draft, own: OwnFacts, makers: Iterable<CheckedMaker>): void {
  if (own.hindrance) throw refuseDelivery(own.hindrance)
  const taker = signed.isBuy ? 'BUYER' : 'SELLER'
  for (const { hindrance } of makers)
    if (hindrance && (hindrance.fault === taker || hindrance.fault === 'TOKEN')) throw refuseDelivery(hindrance)
}

function vetoesOf(makers: Iterable<CheckedMaker>): Veto[] {
  const rules = new Map<string, string>()
  for (const { account, hindrance } of makers) if (hindrance) rules.set(account, hindrance.rule)
  return [...rules].map(([account, rule]) => ({ account, rule }))
}

export const columnsOf = (
  { chainId, custody }: OnchainBook,
  { signed, hash, signature }: Pick<Draft, 'signed' | 'hash' | 'signature'>,
): SignedColumns => ({
  chainId,
  custodyContract: custody,
  orderHash: hash,
  trader: signed.trader,
  tokenAddress: signed.token,
  quoteTokenAddress: signed.quote,
  isBuy: signed.isBuy,
  quantity: signed.quantity,
  price: signed.price,
  maxFee: signed.maxFee,
  expiry: Number(signed.expiry),
  nonce: signed.nonce,
  salt: signed.salt,
  signature,
})

/** One order at its turn, in the sequence in which a trader would mend it. Refuses before anything happened. */
export function placeSigned(
  turn: Turn,
  book: OnchainBook,
  { draft, own, makers }: Asked,
  usedBefore: ReadonlyMap<string, string>,
): Placed | Unchecked {
  const { party, orderId, hash, clientOrderId, standingReason } = draft
  const account = requirePermitted(turn, party, book.bookId)
  if (!account) throw new Error(`the wallet ${party.holder} has no trading account`)
  requireNewName(turn, party, clientOrderId)
  const vetoes = vetoesOf(makers.values())
  const command = { ...draft.command, marketMaker: account.isMarketMaker, ...(vetoes.length > 0 ? { vetoes } : {}) }
  const isTaken = turn.needed(command) !== 0
  if (isTaken) {
    requireLive(draft, own)
    const orderOfHash = usedBefore.get(hash)
    if (orderOfHash !== undefined)
      throw new AppError('DUPLICATE_ORDER', { extra: { orderId: orderOfHash, orderHash: hash } })
    requireBacked(turn, book, { ...draft, command }, own)
    requireDeliverable(draft, own, makers.values())
    const unchecked = turn
      .makersFor(command)
      .filter(({ order, quantity }) => quantity > 0 && quantity > (makers.get(order)?.quantity ?? 0n))
    if (unchecked.length > 0) return { unchecked }
  }
  const placed = turn.place(command, {
    orderId,
    bookId: book.bookId,
    instanceId: party.instanceId,
    accountId: account.accountId,
    holder: party.holder,
    clientOrderId,
    side: command.side,
    orderType: 'LIMIT',
    timeInForce: command.timeInForce,
    postOnly: command.postOnly ?? false,
    stpMode: command.selfTradePrevention ?? 'NONE',
    expiresAt: new Date(Number(draft.signed.expiry) * 1_000),
    signed: columnsOf(book, draft),
    ...(standingReason === undefined ? {} : { standingReason }),
  })
  if ('refused' in placed) throw asRefusal(placed.refused)
  return placed
}
