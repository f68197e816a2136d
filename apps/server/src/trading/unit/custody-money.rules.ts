import { type Amount, type EngineEvent, exact, minus, plus, type Side } from '@tallystick/engine'
import type { Tokens } from './money.rules.ts'
import { partyOf } from './party.rules.ts'

const DECIMALS = 6
const UNIT = 1_000_000n

export interface CustodyBook extends Tokens {
  readonly quoteDecimals: number | null
}

/** What a trade keeps reserved until it is settled or has failed. */
interface Staged {
  readonly book: string
  readonly makerAccount: string
  readonly takerAccount: string
  readonly side: Side
  readonly price: Amount
  readonly quantity: Amount
  readonly buyerPays: Amount
}

export interface HeldAmount {
  readonly holder: string
  readonly tokenAddress: string
  readonly reserved: Amount
}

const keyOf = (holder: string, tokenAddress: string): string => `${holder} ${tokenAddress}`

/** The chain counts finer than the book where the money has more than six decimals: what the book rounds off is owed there. */
export function roundedOff(
  { quoteDecimals }: Pick<CustodyBook, 'quoteDecimals'>,
  { price, quantity }: Pick<Staged, 'price' | 'quantity'>,
): Amount {
  if (quoteDecimals === null || quoteDecimals <= DECIMALS) return 0
  return (BigInt(price) * BigInt(quantity)) % UNIT === 0n ? 0 : 1
}

/**
 * What a group of commands does to the reservations of wallets. An order reserves; its trades go on holding what they took of it until they
 * are settled or have failed.
 */
export function createCustodyMoney(bookOf: (bookId: string) => CustodyBook, loaded: readonly HeldAmount[]) {
  const before = new Map(loaded.map(({ holder, tokenAddress, reserved }) => [keyOf(holder, tokenAddress), reserved]))
  const changes = new Map<string, HeldAmount>()

  function change(holder: string, tokenAddress: string, by: Amount): void {
    if (by === 0) return
    const key = keyOf(holder, tokenAddress)
    changes.set(key, { holder, tokenAddress, reserved: plus(changes.get(key)?.reserved ?? 0, by) })
  }

  function stage(trade: Staged, sign: 1 | -1, isHeldByOrders: boolean): void {
    const book = bookOf(trade.book)
    const [maker, taker] = [partyOf(trade.makerAccount).holder, partyOf(trade.takerAccount).holder]
    const [buyer, seller] = trade.side === 'BUY' ? [taker, maker] : [maker, taker]
    const signed = (amount: Amount) => (sign === 1 ? amount : minus(0, amount))
    if (!isHeldByOrders) {
      change(seller, book.base, signed(trade.quantity))
      change(buyer, book.quote, signed(trade.buyerPays))
    }
    change(buyer, book.quote, signed(roundedOff(book, trade)))
  }

  return {
    changes,

    /** What is spoken for of the wallet's funds, after all earlier turns. */
    reserved: (holder: string, tokenAddress: string): Amount => {
      const key = keyOf(holder, tokenAddress)
      return plus(before.get(key) ?? 0, changes.get(key)?.reserved ?? 0)
    },

    /** What is reserved or freed outside of the engine, such as a quote. */
    change,

    take(events: readonly EngineEvent[]): void {
      for (const event of events) {
        // An order's trade takes over what the order held; one that was agreed elsewhere has nothing to take over.
        if (event.kind === 'trade') stage(event, 1, event.origin !== 'RFQ')
        if (event.kind === 'tradeSettled' || event.kind === 'tradeFailed') stage(event, -1, false)
        if (event.kind !== 'accepted' && event.kind !== 'orderChanged') continue
        const { base, quote } = bookOf(event.book)
        const added = event.kind === 'accepted' ? event.reserved : minus(event.added, event.released)
        change(partyOf(event.account).holder, event.side === 'SELL' ? base : quote, added)
      }
    },
  }
}

export type CustodyMoney = ReturnType<typeof createCustodyMoney>

/** Rows hold any size; what is held fits the engine, or nothing was ever reserved of it. */
export const asHeld = ({
  holder,
  tokenAddress,
  reserved,
}: {
  holder: string
  tokenAddress: string
  reserved: bigint
}) => ({
  holder,
  tokenAddress,
  reserved: exact(reserved),
})
