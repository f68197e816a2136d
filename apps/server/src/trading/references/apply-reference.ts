import { exact } from '@tallystick/engine'
import type { BookFacts, Turn } from '../unit/index.ts'

/**
 * A new reference price of a book, wherever it comes from: it has its place among the orders. What rests outside of the new band is
 * cancelled, or the book pauses, in the same commit; the log tells both.
 */
export function applyReference(
  turn: Turn,
  book: BookFacts,
  price: bigint,
  source: string,
  newLogId: () => string,
): void {
  const { bookId, instanceId, priceRefSpreadBps: spreadBps, priceRefCircuitBreakerBps: breakerBps } = book
  const { events } = turn.execute({
    kind: 'setReference',
    at: 0,
    book: bookId,
    price: exact(price),
    ...(spreadBps === null ? {} : { spreadBps }),
    ...(breakerBps === null ? {} : { circuitBreakerBps: breakerBps }),
  })
  turn.changeBook(bookId, { price_ref_last_price: price.toString(), price_ref_last_updated: turn.at })
  const log = (name: string, enforcement: string) =>
    turn.logPrice({ instanceId, logId: newLogId(), bookId, price, source: name, enforcement })
  log(source, book.priceRefEnforcement)
  for (const event of events)
    if (event.kind === 'referenceChanged' && event.brokenAtBps !== null)
      log('CIRCUIT_BREAKER_TRIGGERED', `${event.brokenAtBps}bps_move`)
}
