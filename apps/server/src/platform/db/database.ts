import postgres from 'postgres'

export type Sql = postgres.ISql<{ bigint: bigint }>
type Pool = postgres.Sql
type Row = postgres.Row

export type Role = 'tally_api' | 'tally_chain' | 'tally_venue' | 'tally_operator'

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

/** True for a violation of a unique index, which stores turn into their own code. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505'
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translate(error)
  }
}

/** The rows of one instance, for one request. */
export interface TenantDatabase {
  readonly instanceId: string
  /** One statement in one round trip: begin, enter, query and commit travel together. */
  read<R extends Row>(query: (sql: Sql) => postgres.PendingQuery<R[]>): Promise<R[]>
  /** All or nothing. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

export interface Database {
  tenant(grant: Grant): TenantDatabase
  /** A transaction under one of the roles that serve no tenant. */
  as<T>(role: Exclude<Role, 'tally_api'>, work: (sql: Sql) => Promise<T>, isolation?: 'repeatable read'): Promise<T>
  /** One statement of the key look-up, before any instance is known. */
  lookUp<R extends Row>(query: (sql: Sql) => postgres.PendingQuery<R[]>): Promise<R[]>
  /** Without any role: the owner, to whom every table is empty. Migrations and readiness only. */
  readonly owner: Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly url: string
  readonly poolSize: number
  readonly applicationName: string
  readonly connectTimeoutSeconds?: number
}

/** Switches the role of the running transaction: inside one commit, chain facts and tenant rows have different writers. */
export async function actAs(sql: Sql, role: Role): Promise<void> {
  await sql`select set_config('role', ${role}, true)`
}

export function createDatabase(options: DatabaseOptions): Database {
  const pool = postgres(options.url, {
    max: options.poolSize,
    connect_timeout: options.connectTimeoutSeconds ?? 5,
    connection: { application_name: options.applicationName },
    onnotice: () => {},
    types: { bigint: { to: 1700, from: [20, 1700], serialize: String, parse: BigInt } },
  }) as unknown as Pool

  /** Sends everything before the first answer is awaited, so that it costs one round trip; the first failure is the one that counts. */
  async function pipelined<R extends Row>(
    statements: (sql: Sql) => { execute(): unknown }[],
    answer: number,
  ): Promise<R[]> {
    return guarded(async () => {
      const connection = await pool.reserve()
      try {
        const settled = await Promise.allSettled(
          statements(connection as unknown as Sql).map((query) => query.execute()),
        )
        for (const result of settled) if (result.status === 'rejected') throw result.reason
        return (settled[answer] as PromiseFulfilledResult<unknown>).value as R[]
      } finally {
        connection.release()
      }
    })
  }

  async function interactive<T>(
    enter: (sql: Sql) => Promise<unknown>,
    work: (sql: Sql) => Promise<T>,
    isolation = 'read committed',
  ): Promise<T> {
    return guarded(
      () =>
        pool.begin(`isolation level ${isolation}`, async (sql) => {
          await enter(sql as unknown as Sql)
          return work(sql as unknown as Sql)
        }) as Promise<T>,
    )
  }

  const enter = (sql: Sql, grant: Grant) => sql`
    select set_config('role', 'tally_api', true),
           tally_enter(${grant.keyId}, ${grant.keyEpoch.toString()}::bigint, ${grant.instanceId}, ${grant.instanceEpoch.toString()}::bigint)`

  return {
    tenant: (grant) => ({
      instanceId: grant.instanceId,
      read: (query) => pipelined((sql) => [sql`begin read only`, enter(sql, grant), query(sql), sql`commit`], 2),
      transaction: (work) => interactive((sql) => enter(sql, grant), work),
    }),
    as: (role, work, isolation) => interactive((sql) => actAs(sql, role), work, isolation),
    lookUp: (query) =>
      pipelined(
        (sql) => [sql`begin read only`, sql`select set_config('role', 'tally_api', true)`, query(sql), sql`commit`],
        2,
      ),
    owner: pool,
    close: () => pool.end({ timeout: 5 }),
  }
}
