import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld } from '../lending/lending-world.ts'
import { createMarketLife } from '../lending/market-life.ts'
import { bundled } from './programs.ts'
import { tallyOn } from './tally.ts'

interface ToolAnswer {
  readonly isError?: boolean
  readonly content: { readonly text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly structuredContent?: any
}

/** A model's side of the protocol is the official client; ours is the program that an operator would start. */
describe('tally mcp', () => {
  let world: LendingWorld
  let url: string
  let marketId: string
  /** For a key that may everything, as long as the tests last: a start takes a second. */
  let whole: Client
  const clients: Client[] = []

  beforeAll(async () => {
    world = await createLendingWorld()
    marketId = (await createMarketLife(world).adopted()).marketId
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
    whole = await connect(world.deployer.apiKey)
    clients.length = 0
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
  })
  afterAll(async () => {
    await whole.close()
    await world.close()
  })

  async function connect(apiKey: string, ...options: string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' })
    clients.push(client)
    const env = { PATH: process.env.PATH ?? '', TALLY_API_KEY: apiKey, TALLY_URL: url }
    await client.connect(
      new StdioClientTransport({
        ...{ command: process.execPath, args: [await bundled('cli'), 'mcp', ...options] },
        ...{ env, stderr: 'pipe' },
      }),
    )
    return client
  }
  const call = async (client: Client, name: string, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })) as ToolAnswer
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

  it('reads and builds what the key may, and says that it never signs', async () => {
    expect(whole.getInstructions()).toContain('They never sign, never send and never confirm anything')
    const { tools } = await whole.listTools()
    const pause = tools.find(({ name }) => name === 'pauseMarket')
    expect(pause).toMatchObject({
      description: expect.stringContaining('Nothing is signed or sent'),
      inputSchema: { type: 'object', required: ['marketId'] },
      annotations: { readOnlyHint: false, destructiveHint: false },
    })
    expect(tools.find(({ name }) => name === 'getMarket')?.annotations).toMatchObject({ readOnlyHint: true })

    const market = await call(whole, 'getMarket', { marketId })
    expect(market.isError).toBe(false)
    expect(market.structuredContent.data).toMatchObject({ id: marketId, onChain: { paused: false } })
    expect(JSON.parse(market.content[0]?.text ?? '')).toEqual(market.structuredContent)

    const built = await call(whole, 'pauseMarket', { marketId })
    expect(built.structuredContent.data).toMatchObject({ action: 'SIGN_TRANSACTION', confirmWith: { field: 'txHash' } })
    // And nothing happened.
    const after = await call(whole, 'getMarket', { marketId })
    expect(after.structuredContent.data.onChain.paused).toBe(false)
  })

  it('answers a refusal of the service as one, with its code', async () => {
    const unknown = await call(whole, 'getMarket', { marketId: '01890000-0000-7000-8000-0000000000aa' })
    expect([unknown.isError, unknown.structuredContent.error.code]).toEqual([true, 'MARKET_NOT_FOUND'])
    const confirm = await call(whole, 'pauseMarket', { marketId, txHash: `0x${'1'.repeat(64)}` })
    expect([confirm.isError, confirm.content[0]?.text]).toEqual([true, expect.stringContaining('takes no txHash')])
    const write = await call(whole, 'createKey', { name: 'x', scopes: [] })
    expect([write.isError, write.content[0]?.text]).toEqual([true, 'There is no tool createKey for this key.'])
  })

  it('has only the tools that the scopes of the key open', async () => {
    const { instanceId, apiKey, call: asInstance } = world.deployer
    const owner = { instanceId, apiKey, call: asInstance }
    const narrow = await connect(await world.createKey(owner, ['access:read', 'tokens:read']))
    const names = await namesOf(narrow)
    expect(names).toEqual(expect.arrayContaining(['getInstance', 'listImports', 'detectToken']))
    expect(names).not.toContain('getMarket')
    expect(names).not.toContain('pauseMarket')
    // A key that may not say who it is: the service itself refuses.
    const silent = await connect(await world.createKey(owner, ['lending:read']))
    const refused = await call(silent, 'pauseMarket', { marketId })
    expect([refused.isError, refused.structuredContent.error.code]).toEqual([true, 'SCOPE_MISSING'])
    expect((await call(silent, 'getMarket', { marketId })).isError).toBe(false)
  })

  it('can be kept to features and to reading', async () => {
    const client = await connect(world.deployer.apiKey, '--features', 'tokens', '--read-only')
    expect((await namesOf(client)).sort()).toEqual(['detectToken', 'getImport', 'listImports'])
  })

  it('does not begin without a key that is valid', async () => {
    expect(await tallyOn({}).explains('mcp')).toContain('Set TALLY_API_KEY')
    await expect(connect('tally_nokeynok_00')).rejects.toThrow()
  })
})
