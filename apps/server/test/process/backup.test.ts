import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { connectTestCluster, type TestDatabase } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { connectSuperuser } from '../superuser.ts'
import { emptyFolder } from './data-folder.ts'
import { allRows, insertDelicateRows } from './table-rows.ts'
import { tallyOn } from './tally.ts'

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
