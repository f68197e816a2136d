import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { services } from '@tallystick/wire'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  copyOf,
  emptyFolder,
  isAnnounced,
  partsIn,
  readDemo,
  seededFolder,
  stackEnvironment,
  startStack,
  stopStack,
} from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { run, runCommand } from './program.ts'

const nothing = { postgres: [], anvil: [] }
const address = /^0x[0-9a-f]{40}$/

describe('npm start', () => {
  it('brings up the seeded demo and prints addresses, keys and a command that works; Ctrl-C ends all of it', async () => {
    const folder = emptyFolder()
    const npm = runCommand('npm', ['start'], { env: stackEnvironment(folder) })
    const [text] = await npm.prints(/Tallystick is ready[\s\S]+Ctrl-C.+/)
    const demo = readDemo(folder)
    expect(text).toContain(`API       ${demo.baseUrl}\n`)
    expect(text).toContain(`Docs      ${demo.baseUrl}/docs\n`)
    expect(text).toContain(`Chain     ${demo.rpcUrl} (id 31337)\n`)
    for (const { apiKey } of Object.values(demo.instances)) expect(text).toContain(apiKey)
    expect(text).toContain(demo.registerKey)

    const [command = ''] = /curl -s .+/.exec(text) ?? []
    const listed = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as { data: object[] }
    expect(listed.data).toHaveLength(5)
    expect((await fetch(`${demo.baseUrl}/docs`)).status).toBe(200)
    expect((await fetch(`${demo.baseUrl}/readyz`)).status).toBe(200)

    // A terminal sends Ctrl-C to npm, its shell, tsx and the program alike.
    npm.signal('SIGINT')
    await npm.ended
    expect(npm.stderr()).not.toMatch(/tallystick:/)
    expect(partsIn(folder)).toEqual(nothing)
    expect(isAnnounced(folder)).toBe(false)
    await expect(fetch(demo.baseUrl)).rejects.toThrow()
  })

  it('writes demo.json in its documented form', async () => {
    const folder = emptyFolder()
    const { demo, url } = await startStack(folder)
    expect(Object.keys(demo)).toEqual([
      'baseUrl',
      'rpcUrl',
      'chainId',
      'instances',
      'registerKey',
      'contracts',
      'tokens',
      'markets',
      'orderBooks',
      'rfqs',
      'liquidations',
    ])
    expect(demo).toMatchObject({ baseUrl: url, chainId: 31_337 })
    expect(demo.registerKey).toMatch(/^tallyreg_[0-9A-Za-z]{8}_[0-9a-f]{64}$/)
    expect(Object.keys(demo.instances)).toEqual(['issuer', 'lender', 'trader', 'outsider'])
    for (const [role, { instanceId, apiKey, wallets }] of Object.entries(demo.instances)) {
      const { body } = await callHttp(url, apiKey, 'GET', '/access/api/instance')
      expect(body.data).toMatchObject({
        instanceId,
        chainId: 31_337,
        environment: 'DEVELOPMENT',
        lenderApproved: role === 'lender',
      })
      expect(body.data.services.toSorted()).toEqual([...services].toSorted())
      const registered = await callHttp(url, apiKey, 'GET', '/access/api/wallets')
      expect(registered.body.data.map((one: { address: string }) => one.address)).toEqual(
        wallets.map((one) => one.address),
      )
      for (const wallet of wallets)
        expect(privateKeyToAccount(wallet.privateKey as `0x${string}`).address.toLowerCase()).toBe(wallet.address)
    }
    const chain = createPublicClient({ transport: http(demo.rpcUrl) })
    for (const one of [...Object.values(demo.tokens), ...Object.values(demo.contracts)]) {
      expect(one).toMatch(address)
      expect(await chain.getCode({ address: one as `0x${string}` })).toBeDefined()
    }
    for (const role of ['issuer', 'trader']) {
      const { body } = await callHttp(url, demo.instances[role]?.apiKey ?? '', 'GET', '/external-tokens/api/list')
      const frameworks = body.data.map((one: { framework: string }) => one.framework).toSorted()
      expect(frameworks).toEqual(['erc1155', 'erc1400', 'erc20', 'erc3643', 'erc721'])
    }
  })
})

describe('the embedded stack', () => {
  let seeded = ''
  beforeAll(async () => {
    seeded = await seededFolder()
  })

  it('ends with code 0 on SIGINT, SIGTERM and SIGHUP and leaves nothing running', async () => {
    const folder = copyOf(seeded)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const stack = await startStack(folder)
      expect(isAnnounced(folder)).toBe(true)
      stack.signal(signal)
      expect(await stack.ended).toBe(0)
      expect(stack.stderr()).toBe('')
      expect(partsIn(folder)).toEqual(nothing)
      expect(isAnnounced(folder)).toBe(false)
    }
  })

  it('goes on at a second start: the same keys, ids and token addresses, nothing twice', async () => {
    const folder = copyOf(seeded)
    const before = readDemo(folder)
    const { demo, url } = await startStack(folder)
    expect({ ...demo, baseUrl: '', rpcUrl: '' }).toEqual({ ...before, baseUrl: '', rpcUrl: '' })
    const { apiKey } = demo.instances.issuer ?? { apiKey: '' }
    expect((await callHttp(url, apiKey, 'GET', '/external-tokens/api/list')).body.data).toHaveLength(5)
    expect((await callHttp(url, apiKey, 'GET', '/access/api/keys')).body.data).toHaveLength(1)
    const tally = await run('cli', { env: { DATA_DIR: folder }, args: ['instances', 'list'] })
    expect(await tally.ended).toBe(0)
    expect(JSON.parse(tally.stdout())).toHaveLength(4)
  })

  it('seeds the same token addresses on every fresh folder', async () => {
    const { demo } = await startStack(emptyFolder())
    expect(demo.tokens).toEqual(readDemo(seeded).tokens)
    expect(demo.contracts).toEqual(readDemo(seeded).contracts)
    expect(demo.instances.issuer?.apiKey).not.toBe(readDemo(seeded).instances.issuer?.apiKey)
  })

  it('can be interrupted while it starts for the first time, leaves nothing behind and goes on later', async () => {
    const folder = emptyFolder()
    for (const sign of ['postgres.log', 'demo.json']) {
      const program = await run('embedded', { env: stackEnvironment(folder) })
      while (!existsSync(join(folder, sign))) await sleep(10)
      program.signal('SIGINT')
      expect(await program.ended).toBe(0)
      expect(program.stderr()).toBe('')
      expect(program.stdout()).toBe('')
      expect(partsIn(folder)).toEqual(nothing)
      expect(isAnnounced(folder)).toBe(false)
    }
    const { demo, url } = await startStack(folder)
    const issuer = demo.instances.issuer?.apiKey ?? ''
    expect((await callHttp(url, issuer, 'GET', '/external-tokens/api/list')).body.data).toHaveLength(5)
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

  it('takes another port for its chain when the usual one is busy', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => busy.once('listening', resolve))
    const { port } = busy.address() as { port: number }
    const folder = copyOf(seeded)
    const program = await run('embedded', { env: { ...stackEnvironment(folder), CHAIN_PORT: String(port) } })
    await program.prints(/Ctrl-C/)
    expect(readDemo(folder).rpcUrl).not.toContain(`:${port}`)
    await stopStack(program)
    busy.close()
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

  it('starts over with --fresh, and only deletes what it made itself', async () => {
    const folder = copyOf(seeded)
    writeFileSync(join(folder, 'my-notes.txt'), 'mine')
    const { demo, url } = await startStack(folder, '--fresh')
    const old = readDemo(seeded)
    expect(demo.instances.issuer?.instanceId).not.toBe(old.instances.issuer?.instanceId)
    expect(demo.tokens).toEqual(old.tokens)
    expect((await callHttp(url, old.instances.issuer?.apiKey ?? '', 'GET', '/access/api/instance')).status).toBe(401)
    expect(existsSync(join(folder, 'my-notes.txt'))).toBe(true)
  })
})
