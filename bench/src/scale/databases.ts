import postgres from 'postgres'
import type { BenchWorld } from '../world.ts'

const named = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).toString()
const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** A second database like the first, from which the servers are gone by now. */
export async function copyDatabase({ databaseUrl, superuserUrl }: BenchWorld, name: string): Promise<string> {
  const admin = postgres(superuserUrl, { max: 1, onnotice: () => {} })
  const first = nameOf(databaseUrl)
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${first}`
  await admin`create database ${admin(name)} owner tally template ${admin(first)} strategy file_copy`
  await admin.end()
  return named(databaseUrl, name)
}

/** As the superuser, who fills what the product would take days for. */
export async function fill<T>(
  { superuserUrl }: BenchWorld,
  databaseUrl: string,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres(named(superuserUrl, nameOf(databaseUrl)), { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
