import { AppError, fieldError } from '../../platform/app-error.ts'
import { DatabaseUnavailableError, type TenantDatabase } from '../../platform/db/database.ts'
import type { RunningStream, StreamSink, StreamSource } from '../../platform/http/streams.ts'
import { type BookRow, classOf } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import { followBook } from './book-stream.ts'
import { behind, firstAfter, idOf, type Place, placeOf } from './fill.rules.ts'
import { followFills } from './fills-stream.ts'
import { readReach } from './journal.store.ts'
import type { FeedListener, FeedParts, UnitFeed } from './unit-feed.ts'
import type { UnitFeeds } from './unit-feeds.ts'

export interface StreamsParts extends FeedParts {
  readonly books: BooksService
  readonly feeds: UnitFeeds
}

const heartbeat = (at: string, id?: string) => ({
  event: 'heartbeat',
  data: JSON.stringify({ type: 'heartbeat', at }),
  ...(id === undefined ? {} : { id }),
})

/** What a listener may be shown: books as they change, and the own fills. */
export function createStreamsService({ books, feeds, database, log }: StreamsParts) {
  /** As the depth is found: below `/offchain` a book of any mode, below a class the books of that class. */
  async function find(tenant: TenantDatabase, mountedAt: string, bookId: string): Promise<BookRow> {
    if (!mountedAt.includes('/offchain/')) return books.require(tenant, bookId, classOf(mountedAt))
    const row = await books.find(tenant, bookId)
    if (!row) throw new AppError('ORDER_BOOK_NOT_FOUND')
    return row
  }

  function sourceOf(row: BookRow, mountedAt: string, bookId: string, start: StreamSource['start']): StreamSource {
    return {
      start,
      checkedAs: `${mountedAt} ${bookId} ${row.unitId}`,
      async check(tenant) {
        const { unitId } = await find(tenant, mountedAt, bookId)
        if (unitId !== row.unitId) throw new AppError('ORDER_BOOK_MOVED')
      },
    }
  }

  const failing = (sink: StreamSink) => (error: unknown) => {
    const isLost = error instanceof DatabaseUnavailableError
    if (!isLost) log.error({ err: error }, 'a stream failed')
    sink.end(isLost ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR')
  }

  /** Joins the feed as soon as it is there, unless the listener has left by then. */
  function joining(
    { unitId, version }: BookRow,
    sink: StreamSink,
    join: (feed: UnitFeed) => FeedListener,
  ): { stop(): void } {
    let isStopped = false
    let leave = () => {}
    feeds.follow(unitId, version, join).then((joined) => {
      leave = joined.leave
      if (isStopped) leave()
    }, failing(sink))
    return {
      stop() {
        isStopped = true
        leave()
      },
    }
  }

  return {
    async book(tenant: TenantDatabase, mountedAt: string, bookId: string): Promise<StreamSource> {
      const row = await find(tenant, mountedAt, bookId)
      return sourceOf(row, mountedAt, bookId, (sink): RunningStream => {
        let feed: UnitFeed | undefined
        const { stop } = joining(row, sink, (joined) => {
          feed = joined
          return followBook(joined, row.bookId, sink)
        })
        return { stop, heartbeat: () => heartbeat(String(feed?.sequence() ?? 0)) }
      })
    },

    async fills(
      tenant: TenantDatabase,
      mountedAt: string,
      bookId: string,
      asked: { readonly after: string | undefined; readonly lastEventId: string | undefined },
    ): Promise<StreamSource> {
      const row = await find(tenant, mountedAt, bookId)
      const [unit] = await database.unit(row.unitId).read((sql) => readReach(sql, row.unitId))
      const after = requirePlace(asked, unit ?? { sequence: 0, archived: 0 })
      const request = { unitId: row.unitId, instanceId: tenant.instanceId, after }
      return sourceOf(row, mountedAt, bookId, (sink): RunningStream => {
        let fills: ReturnType<typeof followFills> | undefined
        const { stop } = joining(row, sink, (feed) => {
          fills = followFills({ database }, feed, request, sink, failing(sink))
          return fills
        })
        const place = () => fills?.place() ?? idOf(after)
        return {
          heartbeat: () => heartbeat(place(), place()),
          stop() {
            fills?.stop()
            stop()
          },
        }
      })
    },
  }
}

/** A listener that comes back repeats the address it first asked, so what it has seen since counts more. */
function requirePlace(
  asked: { after: string | undefined; lastEventId: string | undefined },
  { sequence: head, archived }: { readonly sequence: number; readonly archived: number },
): Place {
  const [field, id] = asked.lastEventId ? ['Last-Event-ID', asked.lastEventId] : ['after', asked.after]
  if (id === undefined) return behind(head)
  const place = placeOf(id)
  if (!place) throw fieldError('INVALID_PARAM', [{ field, message: 'is not an id of this stream' }])
  if (place.sequence > head)
    throw fieldError('INVALID_PARAM', [{ field, message: `is beyond ${head}, the last entry of this journal` }])
  if (firstAfter(place) <= archived) throw new AppError('HISTORY_ARCHIVED', { extra: { oldest: String(archived) } })
  return place
}

export type StreamsService = ReturnType<typeof createStreamsService>
