import type { PlacedSignedOrderRecord } from '@tallystick/wire'
import { asPlaced } from '../orders/index.rules.ts'
import type { TradeRow } from '../unit/index.rules.ts'
import type { Placed } from '../unit/index.ts'
import type { Draft } from './draft.ts'
import type { OnchainBook } from './onchain-book.ts'
import { orderAsText } from './signed-order.rules.ts'

/** Who owns a book of the unit. */
export type OwnerOf = (bookId: string) => string | undefined

/** The class's own prefix: where its settlements are found. */
export const prefixOf = (book: OnchainBook): string => `/orderbooks/${book.class}/api`

/** The settlements that trades wait in, and who signs them. */
export function stagedIn(book: OnchainBook, instanceId: string, trades: readonly TradeRow[], ownerOf: OwnerOf) {
  const counts = new Map<string, { bookId: string; tradeCount: number }>()
  for (const { settlementId, makerBookId } of trades) {
    if (settlementId === null) continue
    const known = counts.get(settlementId) ?? { bookId: makerBookId, tradeCount: 0 }
    counts.set(settlementId, { ...known, tradeCount: known.tradeCount + 1 })
  }
  return [...counts].map(([settlementId, { bookId, tradeCount }]) => {
    const path = `${prefixOf(book)}/settlements/${settlementId}`
    return {
      settlementId,
      status: 'PENDING' as const,
      orderBookId: bookId,
      tradeCount,
      settlementOperator: bookId === book.bookId ? book.row.settlementOperator : null,
      calldata: `${path}/calldata`,
      confirmWith: { endpoint: `${path}/confirm`, field: 'txHash' as const },
      ...(ownerOf(bookId) === instanceId ? {} : { settledByOrderBookOwner: true as const }),
    }
  })
}

/** What became of a signed order, for whoever sent it. */
export function asPlacedSigned(
  book: OnchainBook,
  { hash, signed, party, orderId }: Draft,
  placed: Placed,
  ownerOf: OwnerOf,
): PlacedSignedOrderRecord {
  const settlements = stagedIn(book, party.instanceId, placed.trades, ownerOf)
  return {
    ...asPlaced(placed.order, placed),
    stpCancelledMakerIds: placed.events.flatMap((event) =>
      event.kind === 'orderChanged' && event.reason === 'SELF_TRADE_PREVENTION' && event.order !== orderId
        ? [event.order]
        : [],
    ),
    skipped: placed.events.flatMap((event) =>
      event.kind === 'skipped' ? [{ makerOrderId: event.makerOrder, rule: event.rule }] : [],
    ),
    orderHash: hash,
    signedOrder: orderAsText(signed),
    settlement: settlements[0] ?? null,
    settlements,
  }
}
