import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import { type AuctionLook, beginAuction, clearAuction } from '../books/index.ts'
import type { Looks, Turn, UnitsService } from '../unit/index.ts'
import * as store from './auctions.store.ts'
import type { CollectedOrders } from './collected-orders.service.ts'

interface AuctionScheduleParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly units: UnitsService
  readonly collected: CollectedOrders
}

const AT_ONCE = 50
const SAMPLE_EVERY_SECONDS = 60
/** Samples further apart than this are not in a row. */
const SAMPLE_GAP_SECONDS = 180
/** In a row, until a HYBRID book changes over. */
const SAMPLES = 5

/**
 * Opens and clears auctions when it is time. Any number of workers may: whoever has the lock of the unit looks again whether there is still
 * something to do. What nobody did in time is done late.
 */
export function createAuctionSchedule({ database, clock, random, log, units, collected }: AuctionScheduleParts) {
  const newAuctionId = () => newId(clock, random)

  const inUnit = <T>(
    { unitId, instanceId }: store.ScheduledBook,
    perform: Parameters<typeof units.submit<T>>[2]['perform'],
    alsoLooks: readonly Looks[] = [],
  ) =>
    units.submit<T>({}, unitId, {
      grant: null,
      looks: { instanceId, holders: [], clientOrderIds: [] },
      alsoLooks,
      perform,
    })

  function clearDue(turn: Turn, due: store.DueAuction, look: AuctionLook): boolean {
    const book = turn.book(due.bookId)
    const running = turn.auction(due.bookId)
    const isDue = running?.auctionId === due.auctionId && book && running.endsAt <= book.readAt
    if (!isDue || book.status !== 'ACTIVE' || look.waitsFor(turn) !== null) return false
    look.prune(turn)
    const { tradingMode, auctionIntervalSeconds: seconds } = book
    const goesOn = tradingMode === 'PERIODIC_AUCTION' || (tradingMode === 'HYBRID' && due.narrow < SAMPLES)
    clearAuction(turn, due.bookId, goesOn && seconds !== null ? { auctionId: newAuctionId(), seconds } : null)
    return true
  }

  /** The orders are looked at before the turn; who came since was looked at on the way in. */
  async function clear(due: store.DueAuction): Promise<boolean> {
    const look = await collected.look(due.bookId)
    return inUnit(due, (turn) => clearDue(turn, due, look), look.looks)
  }

  const open = (idle: store.ScheduledBook) =>
    inUnit(idle, (turn) => {
      const book = turn.book(idle.bookId)
      if (book?.status !== 'ACTIVE' || book.tradingMode === 'CONTINUOUS' || turn.auction(idle.bookId)) return false
      if (book.auctionIntervalSeconds === null) return false
      beginAuction(turn, idle.bookId, newAuctionId(), book.auctionIntervalSeconds)
      return true
    })

  /** Each for itself: a book that cannot be served does not stop the others. */
  async function each<T extends store.ScheduledBook>(books: readonly T[], act: (book: T) => Promise<boolean>) {
    const done = await Promise.all(
      books.map((book) =>
        act(book).catch((error: unknown) => {
          log.error({ err: error, book: book.bookId }, 'an auction could not be served; trying again')
          return false
        }),
      ),
    )
    return done.filter(Boolean).length
  }

  return {
    async pass(): Promise<{ opened: number; cleared: number; sampled: number; isMoreDue: boolean }> {
      // The spread is that of the rows.
      await units.projectLeft()
      const [sampled, due, idle] = await database.as(
        'tally_operator',
        async (sql) =>
          [
            await store.sampleSpreads(sql, { everySeconds: SAMPLE_EVERY_SECONDS, gapSeconds: SAMPLE_GAP_SECONDS }),
            await store.listDue(sql, AT_ONCE),
            await store.listIdle(sql, SAMPLES, AT_ONCE),
          ] as const,
      )
      const cleared = await each(due, clear)
      const opened = await each(idle, open)
      return { opened, cleared, sampled: sampled.length, isMoreDue: due.length === AT_ONCE && cleared > 0 }
    },
  }
}

export type AuctionSchedule = ReturnType<typeof createAuctionSchedule>
