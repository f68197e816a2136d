import { chmodSync, chownSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyFolder, isAnnounced, partsIn, readDemo, stackEnvironment } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { run } from './program.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }
const nothing = { postgres: [], chain: [] }

/** Chapters of one story on one folder: seeding it twice would take longer than everything else here. */
describe('the embedded stack of an ordinary user', () => {
  const user = isRoot ? { user: nobody } : {}
  let folder = ''
  beforeAll(() => {
    folder = emptyFolder()
    if (isRoot) chownSync(folder, nobody.uid, nobody.gid)
    chmodSync(folder, 0o700)
  })
  const start = () => run('embedded', { env: { ...stackEnvironment(folder), HOME: folder }, ...user })

  it('can be interrupted while it starts for the first time, and leaves nothing running', async () => {
    for (const sign of ['postgres.log', 'demo.json']) {
      const program = await start()
      while (!existsSync(join(folder, sign))) await sleep(10)
      program.signal('SIGINT')
      expect(await program.ended).toBe(0)
      expect(program.stderr()).toBe('')
      // Stages that were done, and no word of being ready.
      expect(program.stdout()).not.toContain('Ctrl-C')
      expect(partsIn(folder)).toEqual(nothing)
      expect(isAnnounced(folder)).toBe(false)
    }
  })

  it('goes on later: starts, serves, stops and starts again without any special right', async () => {
    for (const time of ['first', 'second']) {
      const stack = await start()
      await stack.prints(/Ctrl-C/)
      const { baseUrl, instances } = readDemo(folder)
      for (const [role, tokens] of Object.entries({ trader: 6, issuer: 8 })) {
        const listed = await callHttp(baseUrl, instances[role]?.apiKey ?? '', 'GET', '/external-tokens/api/list')
        expect(listed.body.data, `${time} ${role}`).toHaveLength(tokens)
      }
      const tally = await run('cli', { env: { DATA_DIR: folder }, args: ['instances', 'list'], ...user })
      expect(await tally.ended).toBe(0)
      expect(JSON.parse(tally.stdout())).toHaveLength(4)
      stack.signal('SIGINT')
      expect(await stack.ended).toBe(0)
      expect(partsIn(folder)).toEqual(nothing)
    }
    const owner = isRoot ? nobody.uid : process.getuid?.()
    for (const name of ['postgres', 'demo.json', 'chain', 'tallystick.log'])
      expect(statSync(join(folder, name)).uid, name).toBe(owner)
  })
})
