import type postgres from 'postgres'
import { DEFAULT_PATIENCE, type PatienceSettings } from '../bounds.ts'
import { countRead, type Wait } from '../measure.ts'
import { type SpanRequest, traced } from '../trace.ts'
import { insideTransaction } from '../transaction-scope.ts'
import { type ConnectionOptions, openConnection, tryConnection } from './connection.ts'
import { translated } from './errors.ts'
import { createGate, type Gate } from './gate.ts'
import { createLeases, type Leases, WITHOUT_TIMEOUT } from './lease.ts'
import {
  type Patience,
  patienceFromHere,
  patienceOfChange,
  patienceOfRead,
  patienceOfTransaction,
  patiencesOf,
} from './patience.ts'
import { createReaders } from './readers.ts'
import { createSignals, type Signals } from './signals.ts'
import { createStandby } from './standby.ts'

export { DatabaseBusyError, DatabaseUnavailableError, StaleGrantError } from './errors.ts'

export type Sql = postgres.ISql<{ bigint: bigint }>
type Pool = postgres.Sql
type Row = postgres.Row
/** One statement that answers rows. */
export type Query<R extends Row> = (sql: Sql) => postgres.PendingQuery<R[]>

export type Role =
  | 'tally_api'
  | 'tally_chain'
  | 'tally_venue'
  | 'tally_lane'
  | 'tally_register'
  | 'tally_relayer'
  | 'tally_operator'

/** A proven key: what a tenant's transaction shows to the database, which checks that it is still true. */
export interface Grant {
  readonly keyId: string
  readonly keyEpoch: bigint
  readonly instanceId: string
  readonly instanceEpoch: bigint
}

const sqlSpan = (what: string): SpanRequest => ({
  name: `postgresql ${what}`,
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': what },
})

/** As one span of the trace, and with errors that say what they mean. */
const observed = <T>(what: 'read' | 'transaction', work: () => Promise<T>): Promise<T> =>
  translated(() => traced(() => sqlSpan(what), work))

/** Rows that every proven key may read, for one request. */
export interface SharedRows {
  /** One statement in one round trip: begin, enter, query and commit travel together. */
  read<R extends Row>(query: Query<R>): Promise<R[]>
}

export interface OpenTransaction {
  readonly sql: Sql
  commit(): Promise<void>
  /** Does nothing once it has ended. */
  rollback(): Promise<void>
}

/** The rows of one instance, for one request. */
export interface TenantDatabase extends SharedRows {
  readonly instanceId: string
  /** The key or the session that opened it. */
  readonly keyId: string
  /** JSON text that a function of the database writes; the function enters by itself, so one statement does it all. */
  document(functionName: string): Promise<string>
  /** Set where all transactions of this view end in one commit: what must be part of it runs on this connection, opened when first asked for. */
  readonly joined?: () => Promise<Sql>
  /** All or nothing. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * A short one of its own, also where the others end in one commit: for reads that need a transaction, and for rows that do no harm when the
   * rest is taken back. What the chain is asked after has to go here.
   */
  apart<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** A transaction that its caller ends. */
  begin(): Promise<OpenTransaction>
  /**
   * Runs `work` once everything that this view has written is committed: at once, or, when its transactions are part of a greater one,
   * after that one; never, if that one is undone.
   */
  onceCommitted(work: () => Promise<void>): Promise<void>
}

/**
 * Who serves single reads. A standby shows all that anybody was told before, and for a moment what is not told yet: whoever goes on to change
 * something reads from the primary.
 */
export type ReadsFrom = 'primary' | 'standby'

export interface Database {
  tenant(grant: Grant, readsFrom?: ReadsFrom): TenantDatabase
  /** What a register key may read: rows of no instance. Served by a standby where there is one. */
  shared(registerKeyId: string): SharedRows
  /** All rows of one matching unit, whoever they belong to, in one round trip. */
  unit(unitId: string): SharedRows
  /** The journal of one lane: each statement is a transaction of its own, in one round trip, and waits for no lock. */
  lane(laneId: string): { run<R extends Row>(query: Query<R>): Promise<R[]> }
  /** A statement for each of several lanes, in one transaction and one round trip: all of them, or none. */
  lanes<R extends Row>(asked: readonly { readonly laneId: string; readonly query: Query<R> }[]): Promise<R[][]>
  /** A transaction under one of the roles that serve no tenant. */
  as<T>(role: Exclude<Role, 'tally_api'>, work: (sql: Sql) => Promise<T>, isolation?: 'repeatable read'): Promise<T>
  /**
   * The same, committed while a transaction of the caller may still be open. It has connections of its own: were they taken from the
   * pool, transactions that fill it would all wait for one more.
   */
  aside<T>(role: Exclude<Role, 'tally_api'>, work: (sql: Sql) => Promise<T>): Promise<T>
  /** One statement of the key look-up, before any instance is known. */
  lookUp<R extends Row>(query: Query<R>): Promise<R[]>
  /** From here on others wait for what a transaction holds: it has the patience of the venue, unless it is one of a background job. */
  hurry(sql: Sql): Promise<void>
  readonly signals: Signals
  /** Without any role: the owner, to whom every table is empty. Migrations and readiness only. */
  readonly owner: Pool
  close(): Promise<void>
}

export interface DatabaseOptions extends ConnectionOptions {
  readonly poolSize: number
  /** Set: `url` is a pooler in transaction mode, and this leads past it. */
  readonly directUrl?: string
  /** Leads to standbys: reads that may be served by one are. */
  readonly readUrl?: string
  readonly patience?: PatienceSettings
  /** Whether somebody waits for the answer. */
  readonly serves?: 'requests' | 'jobs'
}

/** Switches the role of the running transaction: inside one commit, chain facts and tenant rows have different writers. */
export async function actAs(sql: Sql, role: Role): Promise<void> {
  await sql`select set_config('role', ${role}, true)`
}

const grantValues = (sql: Sql, grant: Grant) => sql`
  ${grant.keyId}, ${grant.keyEpoch.toString()}::bigint, ${grant.instanceId}, ${grant.instanceEpoch.toString()}::bigint`

const callDocument = (sql: Sql, functionName: string, grant: Grant) => sql<{ document: string }[]>`
  select ${sql(functionName)}(${grantValues(sql, grant)}) as document`

/** Connections that serve reads; the others of the pool serve transactions. */
const READ_CONNECTIONS = 4
/** The driver counts in whole seconds. Whoever cannot be reached in that time is away, and the primary is asked. */
const STANDBY_CONNECT_SECONDS = 1
/** For short work that somebody waits for with a transaction open. */
const ASIDE_CONNECTIONS = 2
/** For the venue: requests that fill the pool may all wait for a unit whose own transaction would need one connection more. */
const VENUE_CONNECTIONS = 4

/** For the journals of lanes: commits of many follow one another on one connection. */
const JOURNAL_CONNECTIONS = 2

/** One instance that waits for itself leaves the others half of the connections. */
const shareOf = (size: number) => Math.max(1, Math.floor(size / 2))
/** Transactions of one instance that may wait for a connection. */
const LONGEST_QUEUE = 1_000

export function createDatabase(options: DatabaseOptions): Database {
  const patiences = patiencesOf(options.patience ?? DEFAULT_PATIENCE, options.serves)
  const ordinary = options.serves === 'jobs' ? patiences.job : patiences.request
  const { url, directUrl } = options
  const gates = new Map<string, Gate>()
  /** Who leads to the same address passes the same gate. */
  function connect(given: ConnectionOptions, onLost: () => void): Pool {
    const gate = gates.get(given.url) ?? createGate(() => tryConnection(given))
    gates.set(given.url, gate)
    return openConnection(given, gate, onLost)
  }
  const open = (onLost: () => void) => connect({ ...options, prepare: directUrl === undefined }, onLost)
  const leasesOf = (size: number, patience: Patience, what: Wait['what']) =>
    createLeases(open, { size, perOwner: shareOf(size), longestQueue: LONGEST_QUEUE, patience, what })
  const readConnections = Math.min(READ_CONNECTIONS, options.poolSize)
  const readers = createReaders(open, readConnections, ordinary)
  const journals = createReaders(open, JOURNAL_CONNECTIONS, patiences.venue)
  const leases = leasesOf(Math.max(1, options.poolSize - readConnections), ordinary, 'connection')
  const asides = leasesOf(ASIDE_CONNECTIONS, ordinary, 'aside connection')
  const venues = leasesOf(VENUE_CONNECTIONS, patiences.venue, 'venue connection')
  const openDirect = (given: Partial<ConnectionOptions>, onLost: () => void) =>
    connect({ ...options, url: directUrl ?? url, ...given }, onLost)
  const signals = createSignals(openDirect)
  const standby = options.readUrl === undefined ? undefined : standbyAt(options.readUrl)
  let owner = openOwner()

  function openOwner(): Pool {
    const sql = open(() => {
      if (owner !== sql) return
      owner = openOwner()
      void sql.end({ timeout: 0 })
    })
    return sql
  }

  function standbyAt(readUrl: string) {
    const given = { ...options, url: readUrl, connectTimeoutSeconds: STANDBY_CONNECT_SECONDS }
    return createStandby(
      // Of its own, and past a pooler: no read waits longer than this one question takes.
      createReaders((onLost) => openDirect({}, onLost), 1, ordinary),
      createReaders((onLost) => connect(given, onLost), readConnections, ordinary),
    )
  }

  const pipelined = <R extends Row>(statements: (sql: Sql) => { execute(): unknown }[], answer: number) =>
    observed('read', () => readers.row<R>((sql) => statements(sql as unknown as Sql), answer))

  interface Opening {
    readonly isolation?: string
    readonly from?: Leases
    readonly owner?: string
  }

  /** The transaction is entered, or was never open. */
  async function begin(
    enter: (sql: Sql) => Promise<unknown>,
    { isolation = 'read committed', from = leases, owner }: Opening = {},
  ): Promise<OpenTransaction> {
    const held = await from.take(owner)
    const sql = held.sql as unknown as Sql
    let isOver = false
    const end = async (how: () => Promise<void>) => {
      if (isOver) return
      isOver = true
      try {
        await how()
      } finally {
        held.end()
      }
    }
    const rollback = () => end(held.rollback)
    const commit = () =>
      translated(() =>
        end(async () => {
          try {
            await held.commit()
          } catch (error) {
            await held.rollback()
            throw error
          }
        }),
      )
    try {
      // Sent at once and in this order; what could not be entered is rolled back.
      const begun = sql.unsafe(`begin isolation level ${isolation}`).execute()
      await Promise.all([begun, enter(sql)])
    } catch (error) {
      await rollback()
      throw error
    }
    return { sql, commit, rollback }
  }

  async function interactive<T>(
    enter: (sql: Sql) => Promise<unknown>,
    work: (sql: Sql) => Promise<T>,
    opening?: Opening,
  ): Promise<T> {
    return observed('transaction', async () => {
      const { sql, commit, rollback } = await begin(enter, opening)
      try {
        const result = await insideTransaction(() => work(sql))
        await commit()
        return result
      } finally {
        await rollback()
      }
    })
  }

  const ofRead = (sql: Sql) => sql.unsafe(patienceOfRead(ordinary))
  const ofTransaction = (sql: Sql, patience: Patience) => sql.unsafe(patienceOfTransaction(patience))

  const enterTenant = (sql: Sql, grant: Grant) => sql`
    select set_config('role', 'tally_api', true), ${ofRead(sql)}, tally_enter(${grantValues(sql, grant)})`

  const enterUnit = (sql: Sql, unitId: string) => sql`
    select set_config('role', 'tally_venue', true), ${ofRead(sql)}, set_config('tally.unit_id', ${unitId}, true)`

  /** Every look of a lane is one into an index: a plan that was made while the tables were young may not read all of one. */
  const enterLane = (sql: Sql, laneId: string) => sql`
    select set_config('role', 'tally_lane', true), ${sql.unsafe(patienceOfChange(ordinary, patiences.venue))},
      set_config('tally.lane', ${laneId}, true),
      set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`

  const enterRegister = (sql: Sql, keyId: string) => sql`
    select set_config('role', 'tally_api', true), ${ofRead(sql)}, tally_enter_register(${keyId})`

  const enterToChange = (grant: Grant) => async (sql: Sql) =>
    sql`
    select set_config('role', 'tally_api', true), ${ofTransaction(sql, ordinary)}, tally_enter(${grantValues(sql, grant)})`

  const enterAs = (role: Role, patience: Patience) => async (sql: Sql) =>
    sql`
    select set_config('role', ${role}, true), ${ofTransaction(sql, patience)}`

  const opened =
    (opening: (sql: Sql) => { execute(): unknown }) =>
    <R extends Row>(query: Query<R>) =>
      pipelined<R>((sql) => [sql`begin read only`, opening(sql), query(sql), sql`commit`], 2)

  const openedNearby =
    (opening: (sql: Sql) => { execute(): unknown }) =>
    async <R extends Row>(query: Query<R>) => {
      const found = standby && (await observed('read', () => standby.read(opening, query)))
      if (found) return found
      const rows = await opened(opening)(query)
      if (standby) countRead('primary')
      return rows
    }

  /**
   * A statement that needs no transaction around it. A pooler in transaction mode needs one: to describe a statement that is not prepared the
   * driver sends a request without an end, and what came before it would end the pooler's hold on the connection.
   */
  const alone = <R extends Row>(query: Query<R>) =>
    directUrl === undefined
      ? pipelined<R>((sql) => [query(sql)], 0)
      : pipelined<R>((sql) => [sql`begin read only`, query(sql), sql`commit`], 1)

  const nameLane = (sql: Sql, laneId: string) => sql`select set_config('tally.lane', ${laneId}, true)`

  const inLanes: Database['lanes'] = (asked) =>
    observed('transaction', () =>
      journals.rows(
        (plain) => {
          const sql = plain as unknown as Sql
          const each = asked.flatMap(({ laneId, query }, index) => [
            index === 0 ? enterLane(sql, laneId) : nameLane(sql, laneId),
            query(sql),
          ])
          // Two statements, so that the second one ends a transaction in which the query failed.
          return [sql`begin`, ...each, sql.unsafe(WITHOUT_TIMEOUT), sql`commit`]
        },
        asked.map((_, index) => 2 + 2 * index),
      ),
    )

  return {
    tenant: (grant, readsFrom = 'primary') => {
      const transaction = <T>(work: (sql: Sql) => Promise<T>) =>
        interactive(enterToChange(grant), work, { owner: grant.instanceId })
      return {
        instanceId: grant.instanceId,
        keyId: grant.keyId,
        read: (readsFrom === 'standby' ? openedNearby : opened)((sql) => enterTenant(sql, grant)),
        document: async (functionName) => {
          const [row] = await alone<{ document: string }>((sql) => callDocument(sql, functionName, grant))
          return row?.document ?? ''
        },
        transaction,
        // Nothing else is open here: each is a commit of its own.
        apart: transaction,
        begin: () => translated(() => begin(enterToChange(grant), { owner: grant.instanceId })),
        onceCommitted: (work) => work(),
      }
    },
    shared: (registerKeyId) => ({ read: openedNearby((sql) => enterRegister(sql, registerKeyId)) }),
    unit: (unitId) => ({ read: opened((sql) => enterUnit(sql, unitId)) }),
    lane: (laneId) => ({
      run: async <R extends Row>(query: Query<R>) => {
        const [found] = await inLanes([{ laneId, query }])
        return found ?? []
      },
    }),
    lanes: inLanes,
    as: (role, work, isolation) =>
      role === 'tally_venue' || role === 'tally_lane'
        ? interactive(enterAs(role, patiences.venue), work, { ...(isolation ? { isolation } : {}), from: venues })
        : interactive(enterAs(role, ordinary), work, isolation ? { isolation } : {}),
    aside: (role, work) => interactive(enterAs(role, ordinary), work, { from: asides }),
    lookUp: opened((sql) => sql`select set_config('role', 'tally_api', true), ${ofRead(sql)}`),
    async hurry(sql) {
      if (options.serves !== 'jobs') await sql.unsafe(`select ${patienceFromHere(patiences.venue)}`)
    },
    signals,
    get owner() {
      return owner
    },
    close: async () => {
      await Promise.all([
        readers.close(),
        standby?.close(),
        journals.close(),
        leases.close(),
        asides.close(),
        venues.close(),
        signals.close(),
        owner.end({ timeout: 5 }),
      ])
    },
  }
}
