import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { countRead } from '../measure.ts'
import type { Query, Sql } from './database.ts'
import { isLostConnection } from './errors.ts'
import type { Readers } from './readers.ts'

type Row = postgres.Row
type Statement = { execute(): unknown }

/** A place in the log of the primary. Whatever anybody was told before it was asked for lies before it. */
interface Position {
  readonly lsn: string
  /** Which log: the numbers of another database, or of a primary that was taken over from, say nothing. */
  readonly system: string
  readonly timeline: number
  /** Before the primary has it on its disk no standby has it. */
  readonly isFlushed: boolean
}

/** Between two looks at a standby that is not there yet. */
const PAUSES_MS = [1, 2, 4, 8, 16, 19]
/** A standby that streams is behind by less than this. */
const BEHIND_MS = 50
/** What is not on the disk of the primary gets there with the next commit of anybody: soon, or not for a while. */
const UNFLUSHED_MS = 10
/** Whoever says nothing for so long is away. */
const SILENT_MS = 1_000
/** It is left alone for so long, and then asked by one read first. */
const REST_MS = 1_000

const DIVISION_BY_ZERO = '22012'
/** A read that takes too long takes too long on the primary too. */
const TOO_SLOW = '57014'

/** The log of a primary that was promoted has a new number at once, its control file only after a checkpoint. */
const TIMELINE_OF_PRIMARY = `('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int`
/**
 * Of a standby it is known from its last restart point only. One that ran ahead of a primary that is gone has not seen the new number, whatever
 * it has replayed; one that follows the new primary is asked again after its next restart point.
 */
const TIMELINE_OF_STANDBY = '(select timeline_id from pg_control_checkpoint())'
const SYSTEM = `(select system_identifier || ' ' || current_database() from pg_control_system())`

/**
 * The insert position and not the flushed one: the rows of off-chain orders are committed without waiting for the disk. At the start of a page it
 * counts the page's header, which a standby has only with the next record: 24 bytes, 40 at the start of a segment.
 */
const whereIs = (sql: Sql) => sql<Position[]>`
  select place.lsn::text, place.lsn <= pg_current_wal_flush_lsn() as "isFlushed",
    ${sql.unsafe(TIMELINE_OF_PRIMARY)} as timeline, ${sql.unsafe(SYSTEM)} as system
  from (select pg_current_wal_insert_lsn() as lsn) as inserted, lateral (select inserted.lsn - '0/0'::pg_lsn as bytes) as counted,
    lateral (select inserted.lsn - (case
      when mod(bytes, pg_size_bytes(current_setting('wal_segment_size'))) = 40 then 40
      when mod(bytes, current_setting('wal_block_size')::int) = 24 then 24
      else 0 end)::numeric as lsn) as place`

/**
 * Fails unless the server has everything up to the position: what follows it in the transaction is not run then. Behind the address of the
 * standbys may be a primary, which has to be the right one.
 */
const look = (sql: Sql, { lsn, system, timeline }: Position) => sql<{ isStandby: boolean }[]>`
  select pg_is_in_recovery() as "isStandby", 1 / coalesce(${sql.unsafe(SYSTEM)} = ${system} and case when pg_is_in_recovery()
    then ${sql.unsafe(TIMELINE_OF_STANDBY)} = ${timeline}::int and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
    else ${sql.unsafe(TIMELINE_OF_PRIMARY)} = ${timeline}::int and pg_current_wal_insert_lsn() >= ${lsn}::pg_lsn end, false)::int`

/** Undefined: no answer in time. Whatever comes later is nobody's. */
async function heardInTime<T>(asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SILENT_MS)
  })
  try {
    return await Promise.race([asked, silence])
  } finally {
    clearTimeout(timer)
  }
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** Each call is answered by a question that began after it; all who call while one is under way share the next one. */
export function createShared<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= underWay.then(() => {
      next = undefined
      const asked = ask()
      underWay = asked.catch(() => undefined)
      return asked
    })
    return next
  }
}

export interface Standby {
  /** One statement that sees everything that anybody was told before the call. Undefined: the primary has to be asked. */
  read<R extends Row>(enter: (sql: Sql) => Statement, query: Query<R>): Promise<R[] | undefined>
  close(): Promise<void>
}

/** Reads of standbys that nobody can tell from reads of the primary: by its position in the log, which many reads ask for together. */
export function createStandby(primary: Readers, standbys: Readers): Standby {
  /** Undefined: they answer. */
  let restsUntil: number | undefined

  const rest = () => {
    restsUntil = performance.now() + REST_MS
  }
  function mayTry(): boolean {
    if (restsUntil === undefined) return true
    if (performance.now() < restsUntil) return false
    rest()
    return true
  }

  const position = createShared(async () => {
    const [found] = await primary.row<Position & Row>((sql) => [whereIs(sql as unknown as Sql)], 0)
    return found
  })

  /** What became of one round trip. */
  async function attempt<R extends Row>(
    place: Position,
    enter: (sql: Sql) => Statement,
    query: Query<R>,
  ): Promise<R[] | 'behind' | 'failed' | 'away'> {
    let looked: Promise<unknown> = Promise.resolve()
    const asking = standbys
      .settled((plain) => {
        const sql = plain as unknown as Sql
        const looking = look(sql, place)
        const watched = {
          execute() {
            looked = looking.execute()
            return looked
          },
        }
        // Each statement sees what was committed when it began: the look is over by then.
        return [sql`begin isolation level read committed read only`, watched, enter(sql), query(sql), sql`commit`]
      })
      .catch(() => undefined)
    const heard = await heardInTime(
      looked.then(
        () => true,
        () => true,
      ),
    )
    const settled = heard ? await asking : undefined
    const [begun, seen, ...others] = settled ?? []
    if (begun?.status !== 'fulfilled' || !seen) return 'away'
    if (seen.status === 'rejected') return codeOf(seen.reason) === DIVISION_BY_ZERO ? 'behind' : 'away'
    for (const one of others) {
      if (one.status === 'fulfilled') continue
      if (codeOf(one.reason) === TOO_SLOW) throw one.reason
      // Also what is refused: the primary has the last word.
      return isLostConnection(one.reason) ? 'away' : 'failed'
    }
    const [{ isStandby } = { isStandby: true }] = seen.value as { isStandby: boolean }[]
    countRead(isStandby ? 'standby' : 'primary')
    return (others[1] as PromiseFulfilledResult<R[]>).value
  }

  return {
    async read(enter, query) {
      // If the primary cannot say where it is, it says why when it is read.
      const place = mayTry() ? await heardInTime(position().catch(() => undefined)) : undefined
      if (!place) return undefined
      const givesUpAt = performance.now() + (place.isFlushed ? BEHIND_MS : UNFLUSHED_MS)
      for (const pause of [...PAUSES_MS, Number.POSITIVE_INFINITY]) {
        const found = await attempt(place, enter, query)
        if (typeof found !== 'string') {
          restsUntil = undefined
          return found
        }
        if (found === 'failed') return undefined
        if (found === 'behind' && performance.now() + pause <= givesUpAt) {
          await sleep(pause)
          continue
        }
        if (found === 'away' || place.isFlushed) rest()
        return undefined
      }
      return undefined
    },
    async close() {
      await Promise.all([primary.close(), standbys.close()])
    },
  }
}
