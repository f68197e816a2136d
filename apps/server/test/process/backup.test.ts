import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { connectTestCluster, type TestDatabase } from '@tallystick/testkit'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { connectSuperuser } from '../superuser.ts'
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

describe('tally backup and restore of a database by its URL', () => {
  const databases: TestDatabase[] = []
  let folder = ''
  let file = ''
  let rows: Record<string, string[]> = {}

  const on = (url: string) => tallyOn({ DATABASE_URL: url, RPC_URL: inject('rpcUrl') })
  async function database(template: string): Promise<string> {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    await cluster.createTemplate('tally_empty', async () => {})
    const made = await cluster.cloneDatabase(template)
    databases.push(made)
    return made.url
  }
  const rowsOf = async (url: string) => {
    const sql = connectSuperuser(url)
    const found = await allRows(sql)
    await sql.end()
    return found
  }

  beforeAll(async () => {
    folder = emptyFolder()
    file = join(folder, 'backup.gz')
    const source = await database(TEMPLATE)
    await on(source).answers('instances', 'create', 'Backed up', '--chain', '31337')
    const sql = connectSuperuser(source)
    await insertDelicateRows(sql)
    rows = await allRows(sql)
    await sql.end()
    await on(source).does('backup', file)
  })
  afterAll(async () => {
    for (const { drop } of databases) await drop()
  })

  it('copies every row exactly, into a database without tables and into one that was only migrated', async () => {
    for (const template of ['tally_empty', TEMPLATE]) {
      const target = await database(template)
      const total = Object.values(rows).flat().length
      expect(await on(target).does('restore', file)).toEqual({ file, rows: total, chain: false })
      expect(await rowsOf(target)).toEqual(rows)
    }
  })

  it('refuses a file that is cut short, changed or something else, and writes nothing', async () => {
    const whole = readFileSync(file)
    const lines = gunzipSync(whole).toString('utf8')
    const flipped = Buffer.from(whole)
    flipped.writeUInt8(flipped.readUInt8(whole.length >> 1) ^ 1, whole.length >> 1)
    const signed = (body: string) =>
      gzipSync(
        `${body}${JSON.stringify({ end: true, rows: 0, sha256: createHash('sha256').update(body).digest('hex') })}\n`,
      )
    const header = { format: 'tallystick-backup', schemaVersion: 9_999, createdAt: new Date().toISOString() }
    const broken: [string, Buffer, RegExp][] = [
      ['cut', whole.subarray(0, whole.length - 20), /is not a whole backup/],
      ['half', whole.subarray(0, whole.length >> 1), /is not a whole backup/],
      ['empty', Buffer.alloc(0), /is not a (whole )?backup/],
      ['flipped', flipped, /is not a whole backup|was cut short or changed/],
      ['text', Buffer.from('a letter'), /is not a whole backup/],
      ['foreign', gzipSync('{"format":"other"}\n{"end":true}\n'), /is not a backup of Tallystick/],
      ['edited', gzipSync(lines.replace('Backed up', 'Backed in')), /was cut short or changed/],
      [
        'without-end',
        gzipSync(lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1)),
        /was cut short or changed/,
      ],
      ['newer', signed(`${JSON.stringify(header)}\n`), /comes from a newer release/],
    ]
    const target = await database('tally_empty')
    for (const [name, bytes, reason] of broken) {
      const path = join(folder, name)
      writeFileSync(path, bytes)
      expect(await on(target).explains('restore', path), name).toMatch(reason)
    }
    expect(await on(target).explains('restore', join(folder, 'no-such-file'))).toMatch(/no-such-file.+ENOENT/)
    expect(await rowsOf(target)).toEqual({})
  })

  it('refuses a database that holds rows, and leaves it as it was', async () => {
    const target = await database(TEMPLATE)
    await on(target).answers('instances', 'create', 'Already here', '--chain', '31337')
    const before = await rowsOf(target)
    expect(await on(target).refuses('restore', file)).toMatch(/^The database is not empty: \w+ has rows[.]/)
    expect(await rowsOf(target)).toEqual(before)
  })

  it('writes no row when one of them cannot be loaded', async () => {
    const target = await database(TEMPLATE)
    const sql = connectSuperuser(target)
    await sql`alter table token_imports add constraint never check (symbol <> '\\x00')`
    expect(await on(target).explains('restore', file)).toMatch(/never/)
    expect(Object.values(await allRows(sql)).flat()).toEqual([])
    await sql.end()
  })

  it('never overwrites a file, and leaves none behind when it fails', async () => {
    const source = await database(TEMPLATE)
    const precious = join(folder, 'precious')
    writeFileSync(precious, 'mine')
    expect(await on(source).refuses('backup', precious)).toMatch(
      /cannot be written: there is a file of that name already$/,
    )
    expect(readFileSync(precious, 'utf8')).toBe('mine')
    expect(await on(source).explains('backup', join(folder, 'no', 'folder'))).toMatch(/cannot be written: ENOENT/)
    const sql = connectSuperuser(source)
    await sql`revoke select on token_imports from tally_operator`
    const halfway = join(folder, 'halfway')
    expect(await on(source).explains('backup', halfway)).toMatch(/token_imports/)
    expect(existsSync(halfway)).toBe(false)
    await sql.end()
  })
})
