import { chmodSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, partsIn, readDemo, stackEnvironment } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { run } from './program.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }

describe('the embedded stack of an ordinary user', { timeout: 120_000 }, () => {
  it('starts, serves, stops and goes on without any special right', async () => {
    const folder = emptyFolder()
    if (isRoot) chownSync(folder, nobody.uid, nobody.gid)
    chmodSync(folder, 0o700)
    const user = isRoot ? { user: nobody } : {}
    for (const start of ['first', 'second']) {
      const stack = await run('embedded', { env: { ...stackEnvironment(folder), HOME: folder }, ...user })
      await stack.prints(/Ctrl-C/)
      const { baseUrl, instances } = readDemo(folder)
      const listed = await callHttp(baseUrl, instances.trader?.apiKey ?? '', 'GET', '/external-tokens/api/list')
      expect(listed.body.data, start).toHaveLength(5)
      const tally = await run('cli', { env: { DATA_DIR: folder }, args: ['instances', 'list'], ...user })
      expect(await tally.ended).toBe(0)
      expect(JSON.parse(tally.stdout())).toHaveLength(4)
      stack.signal('SIGINT')
      expect(await stack.ended).toBe(0)
      expect(partsIn(folder)).toEqual({ postgres: [], chain: [] })
    }
    const owner = isRoot ? nobody.uid : process.getuid?.()
    for (const name of ['postgres', 'demo.json', 'chain', 'tallystick.log'])
      expect(statSync(join(folder, name)).uid, name).toBe(owner)
  })
})
