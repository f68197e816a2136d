import { createServer } from 'node:net'
import type { DemoWorld } from '@tallystick/demo'
import { beforeAll, describe, expect, it } from 'vitest'
import { isAnnounced, partsIn, type RunningStack, readDemo, stackEnvironment, startStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { type Program, run } from './program.ts'
import { firstSeed, seededFolder } from './seeded-folder.ts'
import { describeTally } from './tally-tests.ts'
import { describeVerify } from './verify-tests.ts'

const nothing = { postgres: [], chain: [] }

describe('npm start', () => {
  it('brings up the seeded demo and prints addresses, keys and a command that works; Ctrl-C ends all of it', async () => {
    // The first file of a run that needs a seeded demo starts it, and holds that start against what is promised: `first-start.ts`.
    const demo = readDemo(await firstSeed())
    expect(Object.keys(demo.instances)).toHaveLength(4)
  })
})

/** Each start takes seconds: what can be seen of one stack is seen of one, from its start to its end. */
describe('the embedded stack', () => {
  async function expectEnd(program: Program, folder: string, signal: NodeJS.Signals): Promise<void> {
    expect(isAnnounced(folder)).toBe(true)
    // Twice, as when a launcher passes on what the terminal has sent already.
    program.signal(signal)
    program.signal(signal)
    expect(await program.ended).toBe(0)
    expect(program.stderr()).toBe('')
    expect(partsIn(folder)).toEqual(nothing)
    expect(isAnnounced(folder)).toBe(false)
  }

  describe('at a second start', () => {
    let stack: RunningStack
    let folder = ''
    let before: DemoWorld
    let port = 0
    beforeAll(async () => {
      folder = await seededFolder()
      before = readDemo(folder)
      const busy = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => busy.once('listening', resolve))
      port = (busy.address() as { port: number }).port
      stack = await startStack(folder, { env: { CHAIN_PORT: String(port) } })
      busy.close()
    })

    it('goes on: the same keys, ids and token addresses, nothing twice, on another port if need be', async () => {
      const { demo, url } = stack
      expect(demo.rpcUrl).not.toContain(`:${port}`)
      const varying = { baseUrl: '', rpcUrl: '', rfqs: {} }
      expect({ ...demo, ...varying }).toEqual({ ...before, ...varying })
      const { apiKey } = demo.instances.issuer ?? { apiKey: '' }
      expect((await callHttp(url, apiKey, 'GET', '/external-tokens/api/list')).body.data).toHaveLength(8)
      expect((await callHttp(url, apiKey, 'GET', '/access/api/keys')).body.data).toHaveLength(1)
      const tally = await run('cli', { env: { DATA_DIR: folder }, args: ['instances', 'list'] })
      expect(await tally.ended).toBe(0)
      expect(JSON.parse(tally.stdout())).toHaveLength(4)
    })

    it('refuses to start twice on one folder and does not disturb the one that runs', async () => {
      for (const args of [[], ['--fresh']]) {
        const second = await run('embedded', { env: stackEnvironment(folder), args })
        expect(await second.ended).toBe(1)
        expect(second.stderr()).toMatch(
          new RegExp(`^tallystick: .+ is already running and belongs to process ${stack.pid}[.]\n$`),
        )
      }
      expect((await fetch(`${stack.url}/readyz`)).status).toBe(200)
      expect(isAnnounced(folder)).toBe(true)
    })

    describeVerify(() => ({ stack, folder }))
    describeTally(() => ({ stack, folder }))

    // On SIGINT the first start ends, on SIGTERM the one that nobody reads, in the slow suite.
    it('ends with code 0 on SIGHUP and leaves nothing running', async () => {
      await expectEnd(stack, folder, 'SIGHUP')
    })
  })
})
