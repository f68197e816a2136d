import { type EndReason, type MakerView, notionalDown } from '@tallystick/engine'
import type { Address } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import { partyOf } from '../unit/index.rules.ts'
import { exactChainAmount, quoteAmountDown, unitsDown } from './chain-units.rules.ts'
import type { Custody } from './custody.ts'
import { type Hindrance, isShareless } from './delivery.rules.ts'
import type { Inquiry } from './inquiry.ts'
import type { OnchainBook } from './onchain-book.ts'
import { deathOf } from './order-state.rules.ts'
import { askOrderState } from './order-state.ts'
import type { SignedOrder } from './signed-order.rules.ts'
import type { StoredSigned } from './signed-rows.ts'

/** A resting order that a new one can reach, as the chain sees it. */
export interface CheckedMaker {
  readonly orderId: string
  readonly account: string
  /** As much of it as was asked about, in order book units. */
  readonly quantity: bigint
  /** It can never settle: it is cancelled first. */
  readonly dead: EndReason | null
  /** It cannot trade with this taker. */
  readonly hindrance: Hindrance | null
}

/** Traders who meet themselves cannot settle, whatever they asked for. */
const SELF_TRADE: Hindrance = { rule: 'SELF_TRADE', fault: 'PAIR' }

/** Asks about one resting order and the pair that it would make with the taker. */
function askMaker(
  inquiry: Inquiry,
  book: OnchainBook,
  custody: Custody,
  taker: Pick<SignedOrder, 'trader' | 'isBuy'>,
  { order: orderId, account, price, quantity }: MakerView,
  signed: StoredSigned | undefined,
): (block: Block) => CheckedMaker {
  const filled = BigInt(quantity)
  const found = { orderId, account, quantity: filled }
  // Nothing that was not signed is ever taken: a row that is missing is as good as no signature.
  if (!signed) return () => ({ ...found, dead: 'SIGNATURE_INVALID', hindrance: null })
  if (partyOf(account).holder === taker.trader) return () => ({ ...found, dead: null, hindrance: SELF_TRADE })

  const onChain = exactChainAmount(filled, book.baseDecimals) ?? 0n
  const quoteAmount = quoteAmountDown(
    onChain,
    exactChainAmount(BigInt(price), book.quoteDecimals) ?? 0n,
    book.baseDecimals,
  )
  const maker = signed.order.trader
  const [seller, buyer]: [Address, Address] = taker.isBuy ? [maker, taker.trader] : [taker.trader, maker]
  const state = askOrderState(inquiry, book.custody, signed, custody.eras)
  const spent = taker.isBuy ? book.token : book.quote
  const backing = custody.askBacking(inquiry, maker, spent)
  const pair = custody.askPair(inquiry, { seller, buyer, quantity: onChain, quoteAmount }, taker.isBuy)
  return (block) => {
    const needed = taker.isBuy ? filled : BigInt(notionalDown(quantity, price))
    const decimals = taker.isBuy ? book.baseDecimals : book.quoteDecimals
    const isShort = unitsDown(backing(), decimals) < needed
    const hindrance = pair(block)
    const isMakersShares = taker.isBuy && hindrance !== null && isShareless(hindrance)
    const dead =
      deathOf(signed.order, state(), block.time, onChain) ??
      (isShort || isMakersShares ? ('FUNDS_GONE' as const) : null)
    return { ...found, dead, hindrance }
  }
}

/** All of them, best first, as questions of one inquiry. */
export function askMakers(
  inquiry: Inquiry,
  book: OnchainBook,
  custody: Custody,
  taker: Pick<SignedOrder, 'trader' | 'isBuy'>,
  makers: readonly MakerView[],
  signed: ReadonlyMap<string, StoredSigned>,
): (block: Block) => CheckedMaker[] {
  const asked = makers.map((maker) => askMaker(inquiry, book, custody, taker, maker, signed.get(maker.order)))
  return (block) => asked.map((open) => open(block))
}
