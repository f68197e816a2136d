import type postgres from 'postgres'
import { connectionLost } from './errors.ts'
import type { Patience } from './patience.ts'

type Row = postgres.Row

export interface Readers {
  /** Sends all statements at once over one connection, so that they cost one round trip; the first failure is the one that counts. */
  row<R extends Row>(statements: (sql: postgres.Sql) => { execute(): unknown }[], answer: number): Promise<R[]>
  /** The same, with the answers to several of them. */
  rows<R extends Row>(
    statements: (sql: postgres.Sql) => { execute(): unknown }[],
    answers: readonly number[],
  ): Promise<R[][]>
  /** The same, with what became of each; fails only when the connection was lost. */
  settled(statements: (sql: postgres.Sql) => { execute(): unknown }[]): Promise<PromiseSettledResult<unknown>[]>
  close(): Promise<void>
}

interface Reader {
  sql: postgres.Sql
  running: number
  readonly drop: (sql: postgres.Sql) => void
}

/**
 * Connections that serve reads; each carries many at once, back to back. Nothing can come between the statements of one row: they
 * are handed over in one go, and a reading connection serves nothing but such rows, each of which begins and ends its own transaction.
 */
export function createReaders(
  open: (onLost: () => void) => postgres.Sql,
  count: number,
  { wholeMs }: Pick<Patience, 'wholeMs'>,
): Readers {
  const readers: Reader[] = Array.from({ length: count }, () => {
    const reader: Reader = { sql: connect(), running: 0, drop }

    /** A broken connection is never used again: the driver would run the rest of a row on a new one, outside of its transaction. */
    function drop(sql: postgres.Sql): void {
      if (reader.sql !== sql) return
      reader.sql = connect()
      void sql.end({ timeout: 0 })
    }

    function connect(): postgres.Sql {
      const sql = open(() => drop(sql))
      return sql
    }
    return reader
  })

  const isFailed = (result: PromiseSettledResult<unknown>) => result.status === 'rejected'

  async function settled(
    statements: (sql: postgres.Sql) => { execute(): unknown }[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    const reader = readers.reduce((least, one) => (one.running < least.running ? one : least))
    const { sql } = reader
    reader.running += 1
    // What does not answer at all is given up, with everything that was sent behind it.
    const giveUp = setTimeout(() => reader.drop(sql), wholeMs)
    try {
      const results = await Promise.allSettled(statements(sql).map((query) => query.execute()))
      // An answer may have come over a connection that took the place of the one that entered: it would be an empty one.
      if (reader.sql !== sql && !results.some(isFailed)) throw connectionLost()
      return results
    } finally {
      clearTimeout(giveUp)
      reader.running -= 1
    }
  }

  async function rows<R extends Row>(
    statements: (sql: postgres.Sql) => { execute(): unknown }[],
    answers: readonly number[],
  ): Promise<R[][]> {
    const results = await settled(statements)
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return answers.map((answer) => (results[answer] as PromiseFulfilledResult<unknown>).value as R[])
  }

  return {
    rows,
    settled,
    async row<R extends Row>(statements: (sql: postgres.Sql) => { execute(): unknown }[], answer: number) {
      const [found] = await rows<R>(statements, [answer])
      return found ?? []
    },
    async close() {
      await Promise.all(readers.map(({ sql }) => sql.end({ timeout: 5 })))
    },
  }
}
