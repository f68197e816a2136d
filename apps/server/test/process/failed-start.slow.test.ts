import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { connectTestCluster } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { emptyFolder, partsIn } from './data-folder.ts'
import { type RunOptions, run } from './program.ts'
import type { Main } from './programs.ts'

const nothing = { postgres: [], chain: [] }

/** Starts a program that must not start: one line that tells why, a failing code, nothing left running. */
async function refusal(main: Main, env: Record<string, string>, more: RunOptions = {}): Promise<string> {
  const folder = emptyFolder()
  const program = await run(main, { env: { DATA_DIR: folder, PORT: '0', CHAIN_PORT: '0', ...env }, ...more })
  expect(await program.ended).toBe(1)
  expect(partsIn(folder)).toEqual(nothing)
  expect(program.stdout()).toBe('')
  const [, line] = /^tallystick: (.+)\n$/.exec(program.stderr()) ?? []
  expect(line, program.stderr()).toBeDefined()
  return line ?? ''
}

describe('a start that cannot work', () => {
  let busy: Server
  let database = ''
  let drop: () => Promise<void>
  const rpc = inject('rpcUrl')
  const changed = (change: (url: URL) => void) => {
    const url = new URL(database)
    change(url)
    return url.toString()
  }

  beforeAll(async () => {
    busy = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: database, drop } = await cluster.cloneDatabase(TEMPLATE))
  }, 120_000)
  afterAll(async () => {
    busy.close()
    await drop()
  })
  const busyPort = () => String((busy.address() as { port: number }).port)

  it('says which setting is not acceptable', async () => {
    expect(await refusal('embedded', { PORT: 'abc' })).toBe('PORT must be a whole number, but is "abc".')
    expect(await refusal('api', { PORT: '70000' })).toMatch(/^PORT is not acceptable: .+/)
    expect(await refusal('worker', { LOG_LEVEL: 'loud' })).toMatch(/^LOG_LEVEL is not acceptable: .+/)
  })

  it('asks for DATABASE_URL and RPC_URL together', async () => {
    const [withDatabase, withRpc] = await Promise.all([
      refusal('embedded', { DATABASE_URL: database }),
      refusal('embedded', { RPC_URL: rpc }),
    ])
    expect(withDatabase).toBe(
      'DATABASE_URL and RPC_URL come together, but RPC_URL is not set. Set both, or none to embed both.',
    )
    expect(withRpc).toContain('DATABASE_URL is not set')
    for (const main of ['api', 'worker'] as const)
      expect(await refusal(main, {})).toBe(
        'This process needs DATABASE_URL and RPC_URL. For everything embedded, run npm start.',
      )
  })

  it('tells that the port is taken, before anything is started or deleted', async () => {
    const port = busyPort()
    expect(await refusal('embedded', { PORT: port })).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program, so Tallystick (choose another with PORT=<number>) cannot listen on it.`,
    )
    const external = { DATABASE_URL: database, RPC_URL: rpc, PORT: port }
    for (const main of ['embedded', 'api'] as const)
      expect(await refusal(main, external)).toBe(
        `Port ${port} is in use by another program. Stop it, or choose another with PORT=<number>.`,
      )
  })

  it('tells that the address cannot be listened on', async () => {
    expect(await refusal('api', { DATABASE_URL: database, RPC_URL: rpc, HOST: '192.0.2.1' })).toBe(
      'HOST=192.0.2.1 with PORT=0 cannot be listened on (EADDRNOTAVAIL).',
    )
  })

  it.each(['embedded', 'api'] as const)('tells what is wrong with DATABASE_URL (main.%s)', async (main) => {
    const withDatabase = (url: string) => refusal(main, { DATABASE_URL: url, RPC_URL: rpc })
    const noPassword = 'DATABASE_URL cannot be used: the database refuses this user or password.'
    expect(await withDatabase('mysql://localhost/tally')).toBe(
      'DATABASE_URL must look like postgres://user:password@host:5432/database.',
    )
    expect(await withDatabase(changed((url) => (url.password = 'wrong')))).toBe(noPassword)
    expect(await withDatabase(changed((url) => (url.username = 'nobody-known')))).toBe(noPassword)
    expect(await withDatabase(changed((url) => (url.pathname = '/no_such_database')))).toBe(
      'DATABASE_URL cannot be used: there is no such database on that server.',
    )
    expect(await withDatabase(changed((url) => (url.port = '1')))).toBe(
      'DATABASE_URL cannot be used: no PostgreSQL answers there (ECONNREFUSED).',
    )
    expect(await withDatabase(changed((url) => (url.port = busyPort())))).toMatch(
      /^DATABASE_URL cannot be used: no PostgreSQL answers there \([A-Z_]+\)[.]$/,
    )
    expect(await withDatabase(changed((url) => (url.hostname = 'no-such-host.invalid')))).toMatch(
      /^DATABASE_URL cannot be used: no PostgreSQL answers there \((ENOTFOUND|EAI_AGAIN)\)[.]$/,
    )
  })

  it.each(['embedded', 'worker'] as const)('tells what is wrong with RPC_URL (main.%s)', async (main) => {
    const withRpc = (url: string) => refusal(main, { DATABASE_URL: database, RPC_URL: url, RPC_TIMEOUT_MS: '1000' })
    expect(await withRpc('not a url')).toMatch(/^RPC_URL/)
    expect(await withRpc('ftp://127.0.0.1')).toBe('RPC_URL: "ftp://127.0.0.1" is not an http(s) URL.')
    for (const port of ['1', busyPort()])
      expect(await withRpc(`http://127.0.0.1:${port}`)).toBe(
        'RPC_URL cannot be used: none of the 1 chain nodes answers.',
      )
    expect(await withRpc(`7=${rpc}`)).toBe(
      'RPC_URL cannot be used: RPC_URL promises chain 7, but the node serves chain 31337.',
    )
  })

  it('tells the same to a worker', async () => {
    const url = changed((wrong) => {
      wrong.password = 'wrong'
    })
    expect(await refusal('worker', { DATABASE_URL: url, RPC_URL: rpc })).toBe(
      'DATABASE_URL cannot be used: the database refuses this user or password.',
    )
  })

  it('tells that the data folder cannot be used', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(await refusal('embedded', { DATA_DIR: file })).toMatch(/^The start failed: EEXIST/)
    const foreign = join(folder, 'foreign')
    mkdirSync(join(foreign, 'postgres'), { recursive: true })
    writeFileSync(join(foreign, 'postgres', 'letter.txt'), 'mine')
    expect(await refusal('embedded', { DATA_DIR: foreign })).toMatch(
      /postgres holds files that are not a PostgreSQL database: choose another folder[.]$/,
    )
    expect(readdirSync(join(foreign, 'postgres'))).toEqual(['letter.txt'])
    expect(readdirSync(foreign)).not.toContain('chain')
  })

  it.runIf(process.getuid?.() === 0)('tells an ordinary user that the data folder is closed to them', async () => {
    const folder = emptyFolder()
    chmodSync(folder, 0o755)
    const line = await refusal('embedded', { DATA_DIR: folder }, { user: { uid: 65_534, gid: 65_534 } })
    expect(line).toMatch(/^The start failed: EACCES/)
    expect(readdirSync(folder)).toEqual([])
  })
})
