import { AppError, fieldError } from '../../platform/app-error.ts'
import {
  type Database,
  DatabaseUnavailableError,
  StaleGrantError,
  type TenantDatabase,
} from '../../platform/db/database.ts'
import type { RunningStream, StreamSink, StreamSource } from '../../platform/http/streams.ts'
import type { Log } from '../../platform/log.ts'
import { type Notices, RFQ_CHANNEL } from './notices.service.ts'
import { newestNotice } from './notices.store.ts'

export interface NoticeStreamParts {
  readonly database: Pick<Database, 'signals'>
  readonly notices: Notices
  readonly log: Log
  /** How long a notice may stay unnoticed when the word about it is lost. */
  readonly pollMs?: number
}

interface Asked {
  readonly after: string | undefined
  readonly lastEventId: string | undefined
}

const POLL_MS = 2_000

const message = (event: string, id: string, record: object) => ({
  event,
  id,
  data: JSON.stringify({ type: event, ...record }),
})

/** Notices as they are committed: each listener reads on from its own place, as fast as it takes them. */
export function createNoticeStreams({ database, notices, log, pollMs = POLL_MS }: NoticeStreamParts) {
  /** What a listener has seen since counts more than the address it repeats. */
  function requirePlace({ after, lastEventId }: Asked, newest: bigint, archived: bigint): bigint {
    const [field, id] = lastEventId ? ['Last-Event-ID', lastEventId] : ['after', after]
    if (id === undefined) return newest
    if (!/^[0-9]{1,18}$/.test(id) || BigInt(id) > newest)
      throw fieldError('INVALID_PARAM', [{ field, message: `is not an id of this stream; the last one is ${newest}` }])
    if (BigInt(id) < archived) throw new AppError('HISTORY_ARCHIVED', { extra: { oldest: archived.toString() } })
    return BigInt(id)
  }

  return {
    async open(tenant: TenantDatabase, asked: Asked): Promise<StreamSource> {
      const [found] = await tenant.read((sql) => newestNotice(sql, tenant.instanceId))
      let place = requirePlace(asked, found?.number ?? 0n, found?.archived ?? 0n)
      // A key may change while its streams go on: what reads for it is renewed whenever it is checked.
      let reader = tenant
      let lookAgain = () => {}

      /** False: what comes next is no more. */
      async function readOn(sink: StreamSink, isOver: () => boolean): Promise<boolean> {
        for (let page = await notices.eventsAfter(reader, place); page.length > 0 && !isOver(); ) {
          // Numbers have no gaps: what is missing was taken away while it was waited for.
          if (BigInt(page[0]?.id ?? 0) !== place + 1n) return false
          for (const notice of page) sink.send(message('notice', notice.id, notice))
          place = BigInt(page.at(-1)?.id ?? place)
          await sink.drained()
          page = await notices.eventsAfter(reader, place)
        }
        return true
      }

      return {
        start(sink): RunningStream {
          let isOver = false
          let isReading = false
          let isAskedAgain = false

          async function look(): Promise<void> {
            isAskedAgain = true
            if (isReading) return
            isReading = true
            try {
              while (isAskedAgain && !isOver) {
                isAskedAgain = false
                if (await readOn(sink, () => isOver)) continue
                isOver = true
                sink.end('HISTORY_ARCHIVED')
              }
            } catch (error) {
              // Looked at again soon; the check that follows renews the key, or ends the stream.
              if (error instanceof DatabaseUnavailableError || error instanceof StaleGrantError) return
              log.error({ err: error }, 'notices could not be read')
              sink.end('INTERNAL_ERROR')
            } finally {
              isReading = false
            }
          }

          lookAgain = () => void look()
          sink.send(message('ready', String(place), { id: String(place) }))
          const hear = (word: string) => void (word === tenant.instanceId && look())
          const hush = database.signals.listen(RFQ_CHANNEL, hear, lookAgain)
          const timer = setInterval(lookAgain, pollMs).unref()
          lookAgain()
          return {
            heartbeat: () => message('heartbeat', String(place), { at: String(place) }),
            stop() {
              isOver = true
              clearInterval(timer)
              hush()
            },
          }
        },
        async check(renewed) {
          const [newest] = await renewed.read((sql) => newestNotice(sql, renewed.instanceId))
          reader = renewed
          if (newest && newest.number > place) lookAgain()
        },
      }
    },
  }
}
