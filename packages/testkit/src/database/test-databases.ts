import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'

export interface TestDatabase {
  /** Connects as `tally`, who owns the database and is no superuser. */
  url: string
  drop(): Promise<void>
}

export interface TestDatabases {
  /** Makes the template once, however many processes ask for it; `prepare` gets an empty database to fill. */
  createTemplate(name: string, prepare: (url: string) => Promise<void>): Promise<void>
  cloneDatabase(template: string): Promise<TestDatabase>
}

const owner = 'tally'

/** Use in any process: all work together on the cluster behind the address of its superuser. */
export async function connectTestCluster(superuserUrl: string): Promise<TestDatabases> {
  await asAdmin(superuserUrl, createOwner)

  return {
    createTemplate: (name, prepare) =>
      asAdmin(superuserUrl, async (sql) => {
        await sql`select pg_advisory_lock(hashtext(${name}))`
        const [existing] = await sql`select from pg_database where datname = ${name}`
        if (existing) return
        const draft = `${name}_draft`
        await sql`drop database if exists ${sql(draft)} with (force)`
        await sql`create database ${sql(draft)} owner ${sql(owner)} template template0`
        await prepare(urlOf(superuserUrl, draft))
        await sql`alter database ${sql(draft)} with allow_connections false`
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${draft}`
        await retryWhileInUse(() => sql`alter database ${sql(draft)} rename to ${sql(name)}`)
      }),

    async cloneDatabase(template) {
      const name = `test_${randomBytes(8).toString('hex')}`
      await asAdmin(superuserUrl, (sql) =>
        retryWhileInUse(() => sql`create database ${sql(name)} owner ${sql(owner)} template ${sql(template)}`),
      )
      return {
        url: urlOf(superuserUrl, name),
        drop: () =>
          asAdmin(superuserUrl, async (sql) => {
            await sql`drop database if exists ${sql(name)} with (force)`
          }),
      }
    },
  }
}

async function createOwner(sql: Sql): Promise<void> {
  await sql`select pg_advisory_lock(hashtext(${owner}))`
  const [existing] = await sql`select from pg_roles where rolname = ${owner}`
  if (!existing) await sql.unsafe(`create role ${owner} login createrole password '${owner}'`)
}

async function asAdmin<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  // One connection: the advisory lock belongs to it and goes with it.
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** A database being left by its last connection still counts as in use for a moment. */
async function retryWhileInUse(attempt: () => PromiseLike<unknown>): Promise<void> {
  for (let left = 50; ; left--) {
    try {
      await attempt()
      return
    } catch (error) {
      const inUse = (error as { code?: string }).code === '55006'
      if (!inUse || left === 0) throw error
      await sleep(50)
    }
  }
}

function urlOf(superuserUrl: string, database: string): string {
  const url = new URL(superuserUrl)
  url.username = owner
  url.password = owner
  url.pathname = `/${database}`
  return url.toString()
}
