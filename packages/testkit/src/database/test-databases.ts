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
  const admin = await adminOf(superuserUrl)

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
      // Copied as files: page by page through the log takes twice the time, and nothing here outlives a crash.
      await retryWhileInUse(
        () =>
          admin`create database ${admin(name)} owner ${admin(owner)} template ${admin(template)} strategy file_copy`,
      )
      return {
        url: urlOf(superuserUrl, name),
        drop: async () => {
          await admin`drop database if exists ${admin(name)} with (force)`
        },
      }
    },
  }
}

const admins = new Map<string, Promise<Sql>>()

/** One connection for all that a process makes and drops; it ends when nobody needs it for a while. */
function adminOf(superuserUrl: string): Promise<Sql> {
  const known = admins.get(superuserUrl)
  if (known) return known
  const connecting = asAdmin(superuserUrl, createOwner).then(() =>
    postgres(superuserUrl, { max: 1, idle_timeout: 5, onnotice: () => undefined }),
  )
  admins.set(superuserUrl, connecting)
  return connecting
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
