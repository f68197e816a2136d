import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyOf, emptyFolder, partsIn, startStack, stopStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { firstSeed } from './seeded-folder.ts'
import { allRows, connectEmbedded, insertDelicateRows } from './table-rows.ts'
import { tallyOn } from './tally.ts'

/** The first columns of rows: what they are about, without what changes about them. */
const identities = (rows: readonly string[] = []) => rows.map((row) => row.split(',').slice(0, 3).join())

describe('tally backup and restore of an embedded stack', () => {
  let seeded = ''
  // Apart from the test: where several files of a run need it at once, they wait for one that seeds it.
  beforeAll(async () => {
    seeded = await firstSeed()
  })

  it('brings everything back after the data folder was destroyed: rows, keys, chain and demo', async () => {
    const folder = copyOf(seeded)
    const file = join(emptyFolder(), 'backup.gz')
    const tally = tallyOn({ DATA_DIR: folder, CHAIN_PORT: '0' })
    const before = await startStack(folder)
    const issuer = before.demo.instances.issuer?.apiKey ?? ''
    const sql = connectEmbedded(folder)
    await insertDelicateRows(sql)
    // The worker writes on; what it writes is compared elsewhere.
    const followed = { chain_logs: [], chain_facts: [], watched_contracts: [], signed_orders: [] }
    // One request for quote after the other.
    const requests = { rfqs: [], rfq_quotes: [], rfq_events: [], custody_reservations: [] }
    const volatile = {
      chain_cursors: [],
      chain_blocks: [],
      custody_eras: [],
      key_requests: [],
      watch_turns: [],
      lien_checks: [],
      ...followed,
      ...requests,
    }
    const rows = await allRows(sql)
    const written = await tally.does('backup', file)
    await sql.end()
    expect(written).toMatchObject({ file, bytes: statSync(file).size })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const listed = await callHttp(before.url, issuer, 'GET', '/external-tokens/api/list')

    expect(await tally.refuses('restore', file)).toBe('Stop the running stack first: a restore needs an empty one.')
    await stopStack(before)
    expect((await tally.does('backup', `${file}.second`)).rows).toBeGreaterThanOrEqual(written.rows)
    expect(await tally.refuses('restore', file)).toMatch(/^The database is not empty: \w+ has rows[.]/)
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })

    const restored = await tally.does('restore', file)
    expect(restored).toEqual({ file, rows: written.rows, chain: true })
    expect(partsIn(folder)).toEqual({ postgres: [], chain: [] })
    const after = await startStack(folder)
    const varying = { baseUrl: '', rpcUrl: '', rfqs: {} }
    expect({ ...after.demo, ...varying }).toEqual({ ...before.demo, ...varying })
    const own = connectEmbedded(folder)
    const found = await allRows(own)
    expect({ ...found, ...volatile }).toEqual({ ...rows, ...volatile })
    // The keeper of the demo adds to these, and finality moves on; what was there is there.
    for (const table of Object.keys(followed)) {
      expect(rows[table]?.length).toBeGreaterThan(0)
      expect(identities(found[table])).toEqual(expect.arrayContaining(identities(rows[table])))
    }
    const fixed = (all: Record<string, string[]>) => all.chain_blocks?.filter((row) => !row.startsWith('(31337,'))
    expect(fixed(found)).toEqual(fixed(rows))
    expect(fixed(found)).toHaveLength(1235)
    await own.end()

    const relisted = await callHttp(after.url, issuer, 'GET', '/external-tokens/api/list')
    expect(relisted.body.data).toEqual(listed.body.data)
    const chain = createPublicClient({ transport: http(after.demo.rpcUrl) })
    for (const address of Object.values(after.demo.tokens))
      expect(await chain.getCode({ address: address as `0x${string}` })).toBeDefined()
    const path = `/external-tokens/api/${after.demo.tokens.NORD}`
    expect((await callHttp(after.url, issuer, 'POST', `${path}/refresh`)).body.data.onchain.totalSupply).toBe('60000')
    const image = { body: { imageURI: 'https://nordlicht.example/new.png' } }
    expect((await callHttp(after.url, issuer, 'PUT', `${path}/image`, image)).status).toBe(200)
  })

  it('has nothing to write before the first start', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'backup.gz')
    const tally = tallyOn({ DATA_DIR: join(folder, 'var'), CHAIN_PORT: '0' })
    expect(await tally.refuses('backup', file)).toBe('The database has no tables yet: there is nothing to back up')
    expect(existsSync(file)).toBe(false)
  })
})
