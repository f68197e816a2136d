import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connectTestCluster } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { connectSuperuser } from '../superuser.ts'
import { emptyFolder } from './data-folder.ts'
import { run } from './program.ts'
import { tallyHere } from './tally.ts'

interface Advice {
  readonly state: string
  readonly about: string
  readonly says: string
  readonly todo: string | null
}

describe('tally doctor', () => {
  let databaseUrl = ''
  let drop: () => Promise<void>
  let superuser: Sql
  const base = () => ({ DATABASE_URL: databaseUrl, RPC_URL: inject('rpcUrl'), PORT: '0', DATA_DIR: emptyFolder() })

  beforeAll(async () => {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: databaseUrl, drop } = await cluster.cloneDatabase(TEMPLATE))
    superuser = connectSuperuser(databaseUrl)
  })
  afterAll(async () => {
    await superuser.end()
    await drop()
  })

  async function examine(env: Record<string, string> = {}): Promise<{ wrong: Advice[]; all: Advice[] }> {
    const { text, exitCode = 0 } = await tallyHere({ ...base(), ...env }, ['doctor'])
    const all: Advice[] = JSON.parse(text)
    const wrong = all.filter(({ state }) => state === 'wrong')
    expect(exitCode).toBe(wrong.length > 0 ? 1 : 0)
    for (const { todo } of all.filter(({ state }) => state !== 'ok')) expect(todo).toMatch(/\S/)
    return { wrong, all }
  }
  const says = (found: readonly Advice[], about: string) => found.filter((one) => one.about === about)

  it('finds nothing wrong with a deployment that works', async () => {
    const { wrong, all } = await examine()
    expect(wrong).toEqual([])
    expect(says(all, 'database')[0]?.says).toMatch(/^PostgreSQL \d+\.\d+ answers, its schema is at version \d+/)
    expect(says(all, 'worker')[0]).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('has ever followed'),
    })
  })

  it('says it to people, with what to do', async () => {
    const program = await run('cli', {
      env: { ...base(), RPC_URL: `1=${inject('rpcUrl')}` },
      args: ['doctor', '--table'],
    })
    expect(await program.ended).toBe(1)
    expect(program.stdout()).toMatch(/^WRONG {2}chain 1 +RPC_URL promises chain 1, but \S+ serves 31337\.\n +Correct /m)
    expect(program.stdout()).toMatch(/\n1 wrong, \d to look at\.\n$/)
  })

  it('finds migrations that are pending, and a schema that is none', async () => {
    const [last] =
      await superuser`delete from schema_migrations where version = (select max(version) from schema_migrations) returning *`
    try {
      expect(says((await examine()).wrong, 'schema')[0]).toMatchObject({
        says: expect.stringContaining('migrations are pending'),
        todo: expect.stringContaining('tally migrate'),
      })
    } finally {
      await superuser`insert into schema_migrations ${superuser(last as never)}`
    }
  })

  it('finds a table whose rows are open, and a role that sees everything', async () => {
    await superuser`alter table api_keys no force row level security`
    try {
      expect(says((await examine()).wrong, 'roles')[0]?.says).toContain('not forced on api_keys')
    } finally {
      await superuser`alter table api_keys force row level security`
    }
  })

  it('finds a worker that stopped', async () => {
    await superuser`
      insert into chain_cursors (chain_id, genesis_hash, block_number, block_hash, moved_at)
      values (31337, '0x00', 0, '0x00', now() - interval '5 minutes')`
    try {
      expect(says((await examine()).wrong, 'worker')[0]?.says).toMatch(/^Nobody has followed chain 31337 for 30\d s/)
    } finally {
      await superuser`delete from chain_cursors`
    }
  })

  it('finds a database and a node that do not answer', async () => {
    const { wrong } = await examine({
      DATABASE_URL: 'postgres://a@127.0.0.1:1/x',
      RPC_URL: 'http://127.0.0.1:1/secret',
    })
    expect(wrong.map(({ about }) => about)).toEqual(['database', 'chain'])
    expect(JSON.stringify(wrong)).not.toContain('secret')
  })

  it('finds keystores that others may read', async () => {
    const folder = join(emptyFolder(), 'keys')
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, 'acme.json'), '{}')
    chmodSync(join(folder, 'acme.json'), 0o640)
    const { wrong } = await examine({ RELAYER_KEYSTORE_DIR: folder })
    expect(wrong).toMatchObject([{ about: 'keystores', todo: `chmod 600 ${join(folder, 'acme.json')}` }])
  })

  it('finds a port that another program holds, and settings that contradict each other', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    try {
      const { wrong, all } = await examine({ PORT: String(port), MAX_REQUESTS: '10' })
      expect(says(wrong, 'ports')[0]?.says).toBe(`Another program holds PORT ${port}.`)
      expect(says(all, 'settings')[0]?.says).toContain('MAX_REQUESTS_PER_INSTANCE is 256, above MAX_REQUESTS with 10')
    } finally {
      other.close()
    }
    expect((await examine({ PORT: 'many' })).wrong).toMatchObject([{ about: 'settings' }])
  })

  it('says that nothing runs, and starts nothing', async () => {
    const program = await run('cli', { env: { DATA_DIR: emptyFolder(), PORT: '0' }, args: ['doctor'] })
    expect(await program.ended).toBe(0)
    expect(says(JSON.parse(program.stdout()), 'stack')[0]?.says).toContain('npm start starts them')
  })
})
