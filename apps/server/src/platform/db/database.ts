import type postgres from 'postgres'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { createLeases, type Leases } from './lease.ts'
import { createReaders } from './readers.ts'
import { createSignals, type Signals } from './signals.ts'

export type Sql = postgres.ISql<{ bigint: bigint }>
type Pool = postgres.Sql
type Row = postgres.Row

export type Role = 'tally_api' | 'tally_chain' | 'tally_venue' | 'tally_register' | 'tally_relayer' | 'tally_operator'

/** A proven key: what a tenant's transaction shows to the database, which checks that it is still true. */
export interface Grant {
  readonly keyId: string
  readonly keyEpoch: bigint
  readonly instanceId: string
  readonly instanceEpoch: bigint
}

/** The key changed between its look-up and the transaction that relied on it: look it up again. */
export class StaleGrantError extends Error {
  override readonly name = 'StaleGrantError'
}

/** The database cannot be reached, or went away in the middle. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

const lostConnection = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

function translate(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'TA001') return new StaleGrantError('the key changed since it was looked up', { cause: error })
  if (typeof code === 'string' && (lostConnection.has(code) || code.startsWith('08')))
    return new DatabaseUnavailableError(`the database cannot be reached (${code})`, { cause: error })
  return error
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translate(error)
  }
}

/** Rows that every proven key may read, for one request. */
export interface SharedRows {
  /** One statement in one round trip: begin, enter, query and commit travel together. */
  read<R extends Row>(query: (sql: Sql) => postgres.PendingQuery<R[]>): Promise<R[]>
}

/** The rows of one instance, for one request. */
export interface TenantDatabase extends SharedRows {
  readonly instanceId: string
  /** JSON text that a function of the database writes; the function enters by itself, so one statement does it all. */
  document(functionName: string): Promise<string>
  /** Set while a transaction is open already: what must commit together with it runs on this connection. */
  readonly joined?: Sql
  /** All or nothing. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Runs `work` once everything that this view has written is committed: at once, or, when its transactions are part of a greater one,
   * after that one; never, if that one is undone.
   */
  onceCommitted(work: () => Promise<void>): Promise<void>
}

export interface Database {
  tenant(grant: Grant): TenantDatabase
  /** What a register key may read: rows of no instance. */
  shared(registerKeyId: string): SharedRows
  /** All rows of one matching unit, whoever they belong to, in one round trip. */
  unit(unitId: string): SharedRows
  /** A transaction under one of the roles that serve no tenant. */
  as<T>(role: Exclude<Role, 'tally_api'>, work: (sql: Sql) => Promise<T>, isolation?: 'repeatable read'): Promise<T>
  /**
   * The same, committed while a transaction of the caller may still be open. It has connections of its own: were they taken from the
   * pool, transactions that fill it would all wait for one more.
   */
  aside<T>(role: Exclude<Role, 'tally_api'>, work: (sql: Sql) => Promise<T>): Promise<T>
  /** One statement of the key look-up, before any instance is known. */
  lookUp<R extends Row>(query: (sql: Sql) => postgres.PendingQuery<R[]>): Promise<R[]>
  readonly signals: Signals
  /** Without any role: the owner, to whom every table is empty. Migrations and readiness only. */
  readonly owner: Pool
  close(): Promise<void>
}

export interface DatabaseOptions extends ConnectionOptions {
  readonly poolSize: number
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
/** For short work that somebody waits for with a transaction open. */
const ASIDE_CONNECTIONS = 2
/** For the venue: requests that fill the pool may all wait for a unit whose own transaction would need one connection more. */
const VENUE_CONNECTIONS = 4

export function createDatabase(options: DatabaseOptions): Database {
  const open = (onLost: () => void) => openConnection(options, onLost)
  const readConnections = Math.min(READ_CONNECTIONS, options.poolSize)
  const readers = createReaders(open, readConnections)
  const leases = createLeases(open, Math.max(1, options.poolSize - readConnections))
  const asides = createLeases(open, ASIDE_CONNECTIONS)
  const venues = createLeases(open, VENUE_CONNECTIONS)
  const signals = createSignals((given, onLost) => openConnection({ ...options, ...given }, onLost))
  const owner = open(() => {})

  const pipelined = <R extends Row>(statements: (sql: Sql) => { execute(): unknown }[], answer: number) =>
    guarded(() => readers.row<R>((sql) => statements(sql as unknown as Sql), answer))

  async function interactive<T>(
    enter: (sql: Sql) => Promise<unknown>,
    work: (sql: Sql) => Promise<T>,
    { isolation = 'read committed', from = leases }: { isolation?: string; from?: Leases } = {},
  ): Promise<T> {
    return guarded(async () => {
      const held = await from.take()
      const sql = held.sql as unknown as Sql
      try {
        // Sent at once and in this order; what could not be entered is rolled back.
        const begun = sql.unsafe(`begin isolation level ${isolation}`).execute()
        await Promise.all([begun, enter(sql)])
        const result = await work(sql)
        await held.commit()
        return result
      } catch (error) {
        await held.rollback()
        throw error
      } finally {
        held.end()
      }
    })
  }

  const enter = (sql: Sql, grant: Grant) => sql`
    select set_config('role', 'tally_api', true), tally_enter(${grantValues(sql, grant)})`

  const enterUnit = (sql: Sql, unitId: string) => sql`
    select set_config('role', 'tally_venue', true), set_config('tally.unit_id', ${unitId}, true)`

  const enterRegister = (sql: Sql, keyId: string) => sql`
    select set_config('role', 'tally_api', true), tally_enter_register(${keyId})`

  const opened =
    (opening: (sql: Sql) => { execute(): unknown }) =>
    <R extends Row>(query: (sql: Sql) => postgres.PendingQuery<R[]>) =>
      pipelined<R>((sql) => [sql`begin read only`, opening(sql), query(sql), sql`commit`], 2)

  return {
    tenant: (grant) => ({
      instanceId: grant.instanceId,
      read: opened((sql) => enter(sql, grant)),
      document: async (functionName) => {
        const [row] = await pipelined<{ document: string }>((sql) => [callDocument(sql, functionName, grant)], 0)
        return row?.document ?? ''
      },
      transaction: (work) => interactive((sql) => enter(sql, grant), work),
      onceCommitted: (work) => work(),
    }),
    shared: (registerKeyId) => ({ read: opened((sql) => enterRegister(sql, registerKeyId)) }),
    unit: (unitId) => ({ read: opened((sql) => enterUnit(sql, unitId)) }),
    as: (role, work, isolation) =>
      interactive((sql) => actAs(sql, role), work, {
        ...(isolation ? { isolation } : {}),
        from: role === 'tally_venue' ? venues : leases,
      }),
    aside: (role, work) => interactive((sql) => actAs(sql, role), work, { from: asides }),
    lookUp: opened((sql) => sql`select set_config('role', 'tally_api', true)`),
    signals,
    owner,
    close: async () => {
      await Promise.all([
        readers.close(),
        leases.close(),
        asides.close(),
        venues.close(),
        signals.close(),
        owner.end({ timeout: 5 }),
      ])
    },
  }
}
