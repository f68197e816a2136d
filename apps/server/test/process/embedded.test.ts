import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyOf, isAnnounced, partsIn, readDemo, stackEnvironment, startStack, stopStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { run } from './program.ts'
import { firstSeed, seededFolder } from './seeded-folder.ts'

const nothing = { postgres: [], chain: [] }

describe('npm start', { timeout: 120_000 }, () => {
  it('brings up the seeded demo and prints addresses, keys and a command that works; Ctrl-C ends all of it', async () => {
    // The first file of a run that needs a seeded demo starts it, and holds that start against what is promised: `first-start.ts`.
    const demo = readDemo(await firstSeed())
    expect(Object.keys(demo.instances)).toHaveLength(4)
  })
})

describe('the embedded stack', { timeout: 120_000 }, () => {
  let seeded = ''
  beforeAll(async () => {
    seeded = await seededFolder()
  }, 120_000)

  it('ends with code 0 on SIGINT and SIGHUP and leaves nothing running', async () => {
    const folder = copyOf(seeded)
    for (const signal of ['SIGINT', 'SIGHUP'] as const) {
      const stack = await startStack(folder)
      expect(isAnnounced(folder)).toBe(true)
      // Twice, as when a launcher passes on what the terminal has sent already.
      stack.signal(signal)
      stack.signal(signal)
      expect(await stack.ended).toBe(0)
      expect(stack.stderr()).toBe('')
      expect(partsIn(folder)).toEqual(nothing)
      expect(isAnnounced(folder)).toBe(false)
    }
  })

  it('goes on at a second start: the same keys, ids and token addresses, nothing twice, on another port if need be', async () => {
    const folder = copyOf(seeded)
    const before = readDemo(folder)
    const busy = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => busy.once('listening', resolve))
    const { port } = busy.address() as { port: number }
    const { demo, url } = await startStack(folder, { env: { CHAIN_PORT: String(port) } })
    busy.close()
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

  it('keeps serving when nobody reads its output any more', async () => {
    const folder = copyOf(seeded)
    const program = await run('embedded', { env: stackEnvironment(folder) })
    program.stopReading()
    while (!isAnnounced(folder)) await sleep(20)
    const before = readDemo(folder).baseUrl
    while (readDemo(folder).baseUrl === before) await sleep(20)
    await sleep(500)
    expect((await fetch(`${readDemo(folder).baseUrl}/readyz`)).status).toBe(200)
    program.signal('SIGTERM')
    expect(await program.ended).toBe(0)
    expect(partsIn(folder)).toEqual(nothing)
  })

  it('refuses to start twice on one folder and does not disturb the one that runs', async () => {
    const folder = copyOf(seeded)
    const first = await startStack(folder)
    for (const args of [[], ['--fresh']]) {
      const second = await run('embedded', { env: stackEnvironment(folder), args })
      expect(await second.ended).toBe(1)
      expect(second.stderr()).toMatch(
        new RegExp(`^tallystick: .+ is already running and belongs to process ${first.pid}[.]\n$`),
      )
    }
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    expect(isAnnounced(folder)).toBe(true)
    await stopStack(first)
  })
})
