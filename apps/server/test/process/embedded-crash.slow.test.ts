import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, http } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  copyOf,
  emptyFolder,
  isAnnounced,
  kill9,
  partsIn,
  type RunningStack,
  readDemo,
  stackEnvironment,
  startStack,
} from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { run } from './program.ts'
import { seededFolder } from './seeded-folder.ts'

const nothing = { postgres: [], chain: [] }
const logOf = (folder: string) => readFileSync(join(folder, 'tallystick.log'), 'utf8')

function asIssuer({ url, demo }: RunningStack, method: string, path: string, body?: unknown) {
  return callHttp(url, demo.instances.issuer?.apiKey ?? '', method, path, body === undefined ? {} : { body })
}

async function listSymbols(stack: RunningStack): Promise<string[]> {
  const { body } = await asIssuer(stack, 'GET', '/external-tokens/api/list')
  return body.data.map((one: { symbol: string }) => one.symbol).toSorted()
}

/** Without the one of an earlier generation: it is made while others come to life, at the address that is next by then. */
const marketsInOrder = ({ demo: { markets } }: RunningStack) => {
  const { earlier, ...others } = markets
  expect(earlier?.marketAddress).toMatch(/^0x/)
  return others
}
const marketAddresses = (stack: RunningStack) =>
  Object.values(marketsInOrder(stack)).map(({ marketAddress }) => marketAddress)

const allSymbols = ['ALPN', 'ALPS', 'ATEL', 'ERC1155', 'NORD', 'NWP', 'XAU', 'dEUR']
/** Of requests for quote there is always a new one. */
const lasting = (folder: string) => ({ ...readDemo(folder), baseUrl: '', rpcUrl: '', rfqs: {} })

describe('the embedded stack after a crash', () => {
  let seeded = ''
  beforeAll(async () => {
    seeded = await seededFolder()
  }, 120_000)

  it('takes over the database and the chain that a killed process left running, and keeps what was acknowledged', async () => {
    const folder = copyOf(seeded)
    const first = await startStack(folder)
    const image = { imageURI: 'https://nordlicht.example/logo.png' }
    const path = `/external-tokens/api/${first.demo.tokens.NORD}`
    expect((await asIssuer(first, 'PUT', `${path}/image`, image)).status).toBe(200)
    const orphans = partsIn(folder)
    await first.kill9()
    expect(partsIn(folder)).toEqual(orphans)

    const second = await startStack(folder)
    const parts = partsIn(folder)
    expect([parts.postgres.length, parts.chain.length]).toEqual([1, 1])
    expect(parts.postgres).not.toEqual(orphans.postgres)
    expect(parts.chain).not.toEqual(orphans.chain)
    expect(lasting(folder)).toEqual(lasting(seeded))
    expect((await asIssuer(second, 'GET', path)).body.data).toMatchObject(image)
    expect(await listSymbols(second)).toEqual(allSymbols)
  })

  it('ends with one line when PostgreSQL or the chain node is killed, and the next start recovers', async () => {
    const folder = copyOf(seeded)
    for (const [part, name] of [
      ['postgres', 'PostgreSQL'],
      ['chain', 'The chain node'],
    ] as const) {
      const stack = await startStack(folder)
      kill9(partsIn(folder)[part])
      expect(await stack.ended).toBe(1)
      expect(stack.stderr()).toBe(`tallystick: ${name} ended unexpectedly. Run npm start again; your data is kept.\n`)
      expect(partsIn(folder)).toEqual(nothing)
      expect(isAnnounced(folder)).toBe(false)
    }
    const last = await startStack(folder)
    expect(await listSymbols(last)).toEqual(allSymbols)
    expect((await asIssuer(last, 'POST', `/external-tokens/api/${last.demo.tokens.NORD}/refresh`)).status).toBe(200)
    expect(lasting(folder)).toEqual(lasting(seeded))
  })

  it('starts on a chain that lost everything: tokens come back where they were, imports stay, the follower sees the reorg', async () => {
    const folder = copyOf(seeded)
    const before = await startStack(folder)
    // The follower must have written down a block that will not exist any more.
    while (!(await hasCursor(before))) await sleep(50)
    before.signal('SIGINT')
    await before.ended
    rmSync(join(folder, 'chain'), { recursive: true })

    const after = await startStack(folder)
    expect(after.demo.tokens).toEqual(before.demo.tokens)
    expect(marketsInOrder(after)).toEqual(marketsInOrder(before))
    // Books on the chain that is gone are closed, and others stand in their place.
    expect(after.demo.orderBooks.offchain).toEqual(before.demo.orderBooks.offchain)
    const { stock } = after.demo.orderBooks
    expect(stock).not.toEqual(before.demo.orderBooks.stock)
    const snapshot = await asIssuer(after, 'GET', `/orderbooks/stocks/api/order-books/${stock?.orderBookId}/snapshot`)
    expect(snapshot.body.data.depth.bids).toHaveLength(4)
    const chain = createPublicClient({ transport: http(after.demo.rpcUrl) })
    for (const address of Object.values(after.demo.tokens))
      expect(await chain.getCode({ address: address as `0x${string}` })).toBeDefined()
    expect(await listSymbols(after)).toEqual(allSymbols)
    while (!logOf(folder).includes('the chain was reorganized')) await sleep(50)
    const followed = await hasCursor(after)
    expect(followed).toBe(true)
    expect((await asIssuer(after, 'POST', `/external-tokens/api/${after.demo.tokens.NORD}/refresh`)).status).toBe(200)
    expect((await fetch(`${after.url}/readyz`)).status).toBe(200)
  })

  it('starts over with --fresh although a killed process left its parts running, and only deletes what it made itself', async () => {
    const folder = copyOf(seeded)
    writeFileSync(join(folder, 'my-notes.txt'), 'mine')
    const first = await startStack(folder)
    const orphans = partsIn(folder)
    await first.kill9()
    const second = await startStack(folder, { args: ['--fresh'] })
    const parts = partsIn(folder)
    expect([parts.postgres.length, parts.chain.length]).toEqual([1, 1])
    expect(parts.postgres).not.toEqual(orphans.postgres)
    expect(second.demo.instances.issuer?.instanceId).not.toBe(first.demo.instances.issuer?.instanceId)
    const oldKey = first.demo.instances.issuer?.apiKey ?? ''
    expect((await callHttp(second.url, oldKey, 'GET', '/access/api/instance')).status).toBe(401)
    // Addresses repeat only when the chain really began anew.
    expect(second.demo.tokens).toEqual(first.demo.tokens)
    expect(marketAddresses(second)).toEqual(marketAddresses(first))
    expect(await listSymbols(second)).toEqual(allSymbols)
    expect(readFileSync(join(folder, 'my-notes.txt'), 'utf8')).toBe('mine')
  })

  it('comes to the same demo however often its first start is killed half-way, without twins', async () => {
    const folder = emptyFolder()
    for (const pause of [0, 300, 900]) {
      const program = await run('embedded', { env: stackEnvironment(folder) })
      while (!isAnnounced(folder) && partsIn(folder).postgres.length === 0) await sleep(20)
      await sleep(pause)
      await program.kill9()
    }
    const stack = await startStack(folder)
    expect(await listSymbols(stack)).toEqual(allSymbols)
    const profile = await asIssuer(stack, 'GET', `/external-tokens/api/${stack.demo.tokens.NORD}`)
    expect(profile.body.data.profile).toMatchObject({ issuerName: 'Nordlicht Windpark GmbH' })
    const tally = await run('cli', { env: { DATA_DIR: folder }, args: ['instances', 'list'] })
    expect(await tally.ended).toBe(0)
    const names = (JSON.parse(tally.stdout()) as { name: string }[]).map(({ name }) => name).toSorted()
    expect(names).toEqual(['Issuer platform', 'Lender of record', 'Outsider', 'Trader'])
  })
})

/** Whether the worker has followed the chain at least once. */
async function hasCursor({ opsUrl }: { opsUrl: string }): Promise<boolean> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return /^tally_chain_followed\{chain="31337"\} \d+$/m.test(text)
}

describe('the embedded stack without a reader', () => {
  it('keeps serving when nobody reads its output any more', async () => {
    const folder = await seededFolder()
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
})
