import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import { cadenceOf } from '../books/index.rules.ts'
import type { UnitsService } from '../unit/index.ts'
import { applyReference } from './apply-reference.ts'
import { FeedError } from './feed-answer.rules.ts'
import type { FeedSources } from './feed-sources.ts'
import * as store from './feeds.store.ts'

interface FeedRefreshParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly units: UnitsService
  readonly feeds: FeedSources
}

/** Longer than any answer takes, name look-up and commit included. */
const CLAIM_SECONDS = 60
const AT_ONCE = 16
const SHORTEST_RETRY_SECONDS = 10

const sourceOf = ({ priceRefMode, priceRefFeedPath }: store.ClaimedFeed): string =>
  priceRefMode === 'STOCK_FEED' ? `STOCK_FEED:${priceRefFeedPath ?? ''}` : priceRefMode

/** Seconds until a feed that failed is asked again: sooner than usual, but ever later. */
const retryAfter = ({ priceRefEnforcement, failures }: store.ClaimedFeed): number =>
  Math.min(cadenceOf(priceRefEnforcement), SHORTEST_RETRY_SECONDS * 2 ** Math.min(failures, 12))

/** Keeps the reference prices that come from feeds. Any number of workers share the work. */
export function createFeedRefresh({ database, clock, random, log, units, feeds }: FeedRefreshParts) {
  const newLogId = () => newId(clock, random)

  /** Only while the claim holds: a price of a source that was changed meanwhile, or an older one, must not replace a newer one. */
  async function take(feed: store.ClaimedFeed, price: bigint): Promise<boolean> {
    const { bookId, instanceId } = feed
    return units.submit({}, feed.unitId, {
      grant: null,
      looks: { instanceId, holders: [], clientOrderIds: [] },
      perform(turn) {
        const book = turn.book(bookId)
        if (book?.priceRefClaim !== feed.claim || !book.priceRefEnabled) return false
        // A price that stands still is fresh again; it needs no place among the orders, nor a line in the log.
        if (book.priceRefLastPrice === price) turn.changeBook(bookId, { price_ref_last_updated: turn.at })
        else applyReference(turn, book, price, sourceOf(feed), newLogId)
        const dueAt = new Date(book.readAt.getTime() + cadenceOf(book.priceRefEnforcement) * 1000)
        turn.changeBook(bookId, {
          price_ref_claim: null,
          price_ref_claimed_until: null,
          price_ref_due_at: dueAt,
          price_ref_failures: 0,
          price_ref_error: null,
        })
        return true
      },
    })
  }

  /** The last price stays. The log tells the first time in a row that it had to. */
  async function giveUp(feed: store.ClaimedFeed, { message: reason }: FeedError): Promise<void> {
    const { bookId, instanceId, priceRefLastPrice: price, priceRefEnforcement: enforcement } = feed
    const source = feed.priceRefMode === 'STOCK_FEED' ? 'STOCK_FEED_CACHED' : 'EXTERNAL_FEED_CACHED'
    log.warn({ book: bookId, failures: feed.failures + 1 }, `a price feed failed: ${reason}`)
    await database.as('tally_operator', async (sql) => {
      const recorded = await store.recordFailure(sql, feed, { reason, seconds: retryAfter(feed) })
      if (recorded.length === 1 && price !== null && feed.failures === 0)
        await store.insertLog(sql, { logId: newLogId(), instanceId, bookId, price, source, enforcement }, clock.now())
    })
  }

  async function refresh(feed: store.ClaimedFeed): Promise<boolean> {
    try {
      return await take(feed, await feeds.price(feed))
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      await giveUp(feed, error)
      return false
    }
  }

  return {
    /** Asks every feed that is due, some at a time. */
    async pass(): Promise<{ refreshed: number; isMoreDue: boolean }> {
      const claim = newId(clock, random)
      const claimed = await database.as('tally_operator', (sql) =>
        store.claimDue(sql, claim, { seconds: CLAIM_SECONDS, limit: AT_ONCE }),
      )
      const done = await Promise.all(
        claimed.map((feed) =>
          refresh(feed).catch((error: unknown) => {
            // Its claim runs out, and it is tried again.
            log.error({ err: error, book: feed.bookId }, 'a reference price could not be stored')
            return false
          }),
        ),
      )
      return { refreshed: done.filter(Boolean).length, isMoreDue: claimed.length === AT_ONCE }
    },
  }
}

export type FeedRefresh = ReturnType<typeof createFeedRefresh>
