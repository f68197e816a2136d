import type { PatienceSettings } from '../bounds.ts'

/**
 * How long work on one kind of connection may take, in milliseconds. The database ends what takes longer; a database that does not
 * answer at all is given up by us.
 */
export interface Patience {
  /** One statement. */
  readonly statementMs: number
  /** Waiting for a lock that somebody else holds. */
  readonly lockMs: number
  /** A transaction that is open while nothing is asked of it: its holder was stopped, or is gone without a word. */
  readonly idleMs: number
  /**
   * A transaction that is open, for the database: it ends one whose holder was stopped in the middle of a statement, which does not count as
   * standing still. From PostgreSQL 17 on.
   */
  readonly openMs: number
  /** A whole transaction. Beyond it the connection is dropped, whatever it is doing. */
  readonly wholeMs: number
  /** Waiting for a connection. */
  readonly queueMs: number
}

export interface Patiences {
  readonly request: Patience
  readonly venue: Patience
  readonly job: Patience
}

export function patiencesOf(
  { statementMs, lockMs, venueMs, jobMs }: PatienceSettings,
  serves: 'requests' | 'jobs' = 'requests',
): Patiences {
  return {
    request: {
      statementMs,
      lockMs,
      idleMs: statementMs,
      openMs: 3 * statementMs,
      wholeMs: 3 * statementMs,
      queueMs: lockMs,
    },
    // Whoever holds a book without moving is gone before those who wait for it give up.
    venue: {
      statementMs: venueMs,
      lockMs: venueMs,
      idleMs: Math.ceil((venueMs * 2) / 3),
      // A job has more to do in one, and nobody waits for its server to be replaced.
      openMs: serves === 'jobs' ? 3 * venueMs : Math.ceil((venueMs * 4) / 3),
      wholeMs: 3 * venueMs,
      queueMs: venueMs,
    },
    job: {
      statementMs: jobMs,
      lockMs: jobMs,
      idleMs: jobMs,
      openMs: 3 * jobMs,
      wholeMs: 3 * jobMs,
      queueMs: jobMs,
    },
  }
}

/** Older servers do not know the setting. */
const openFor = (ms: number): string =>
  `case when current_setting('transaction_timeout', true) is not null then set_config('transaction_timeout', '${ms}', true) end`

/**
 * The settings of one transaction, as a part of the statement that enters it: of a session's own settings a pooler would show every
 * transaction somebody else's. Constants of the process, so that the statement keeps one text and one plan.
 */
export const patienceOfTransaction = ({ statementMs, lockMs, idleMs, openMs }: Patience): string =>
  `set_config('statement_timeout', '${statementMs}', true), set_config('lock_timeout', '${lockMs}', true),
   set_config('idle_in_transaction_session_timeout', '${idleMs}', true),
   ${openFor(openMs)}`

/**
 * The same from the middle of a transaction on, for what others wait for. The time that it may be open counts from here: the database starts a
 * clock that runs only once it was stopped.
 */
export const patienceFromHere = ({ idleMs, openMs }: Patience): string =>
  `set_config('idle_in_transaction_session_timeout', '${idleMs}', true),
   ${openFor(0)},
   ${openFor(openMs)}`

/** One statement that changes something. Behind a pooler its commit follows a round trip later, and its holder may be stopped in between. */
export const patienceOfChange = ({ statementMs }: Patience, { idleMs }: Patience): string =>
  `set_config('statement_timeout', '${statementMs}', true), set_config('idle_in_transaction_session_timeout', '${idleMs}', true)`

export const patienceOfRead = ({ statementMs }: Patience): string =>
  `set_config('statement_timeout', '${statementMs}', true)`
