import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestCluster, type TestCluster } from './test-cluster.ts'
import { connectTestCluster } from './test-databases.ts'

async function run(url: string, statement: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

describe('a test cluster', () => {
  let cluster: TestCluster

  beforeAll(async () => {
    cluster = await createTestCluster()
  })
  afterAll(() => cluster.stop())

  it('prepares a template once and clones it for several processes at the same time', async () => {
    let prepared = 0
    const others = await Promise.all([1, 2, 3].map(() => connectTestCluster(cluster.superuserUrl)))
    await Promise.all(
      others.map((databases) =>
        databases.createTemplate('shop', async (url) => {
          prepared++
          await run(url, "create table item (name text); insert into item values ('pen')")
        }),
      ),
    )
    expect(prepared).toBe(1)
    const clones = await Promise.all([...others, ...others].map((databases) => databases.cloneDatabase('shop')))
    expect(new Set(clones.map(({ url }) => url)).size).toBe(6)
    for (const { url } of clones) expect(await run(url, 'select name from item')).toEqual([{ name: 'pen' }])
    await Promise.all(clones.map((clone) => clone.drop()))
    expect(await run(cluster.superuserUrl, "select from pg_database where datname like 'test_%'")).toEqual([])
  })

  it('gives databases to an owner without special rights', async () => {
    await cluster.createTemplate('empty', async () => undefined)
    const { url, drop } = await cluster.cloneDatabase('empty')
    const rights = 'select rolname, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user'
    expect(await run(url, rights)).toEqual([
      { rolname: 'tally', rolsuper: false, rolbypassrls: false, rolcreaterole: true },
    ])
    await run(url, 'create schema own; create table own.thing ()')
    await drop()
  })
})
