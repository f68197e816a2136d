import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestInstance, type World } from '../world.ts'
import { type Program, run } from './program.ts'
import { tallyOn } from './tally.ts'

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** The official client on one side, on the other the program that an operator would start. */
describe('tally mcp --http', () => {
  let world: World
  let instance: TestInstance
  let program: Program
  /** Of the program that has no key of its own. */
  let url: string
  const clients: Client[] = []

  beforeAll(async () => {
    world = await createWorld()
    instance = await world.createInstance()
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    ;({ program, url } = await start())
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
  })
  afterAll(() => world.close())

  async function start(env: Record<string, string> = {}, ...options: string[]) {
    const service = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
    const started = await run('cli', { env, args: ['mcp', '--http', '0', '--url', service, ...options] })
    const [at] = await started.prints(/^http:.+\/mcp$/m)
    return { program: started, url: at }
  }

  async function connect(at: string, apiKey?: string) {
    const client = new Client({ name: 'test', version: '1' })
    clients.push(client)
    const headers: Record<string, string> = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }
    const transport = new StreamableHTTPClientTransport(new URL(at), { requestInit: { headers } })
    await client.connect(transport as Transport)
    return { client, transport, names: (await client.listTools()).tools.map(({ name }) => name) }
  }

  /** What a page or a program sends that is no client of the protocol. */
  async function send(
    headers: Record<string, string>,
    { method = 'POST', path = '/mcp', body = INITIALIZE as unknown } = {},
  ) {
    const accepted = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const sent = request(new URL(path, url), { method, headers: { ...accepted, ...headers } })
    sent.end(method === 'POST' ? JSON.stringify(body) : undefined)
    const [answer] = await once(sent, 'response')
    answer.resume()
    return answer as { statusCode: number; headers: Record<string, string> }
  }
  const bearer = (key = instance.apiKey) => ({ authorization: `Bearer ${key}` })

  it('serves several keys at once, each with the tools that its scopes open', async () => {
    const whole = await connect(url, instance.apiKey)
    const narrow = await connect(url, await world.createKey(instance, ['access:read', 'tokens:read']))
    expect(whole.client.getInstructions()).toContain('They never sign, never send and never confirm anything')
    expect(whole.names).toEqual(expect.arrayContaining(['getInstance', 'getMarket', 'pauseMarket']))
    expect(narrow.names).toEqual(expect.arrayContaining(['getInstance', 'listImports']))
    expect(narrow.names).not.toContain('getMarket')
    expect(whole.transport.sessionId).not.toBe(narrow.transport.sessionId)
    const me = await whole.client.callTool({ name: 'getInstance', arguments: {} })
    expect(me.structuredContent).toMatchObject({ success: true, data: { instanceId: instance.instanceId } })
    const refused = await narrow.client.callTool({ name: 'getMarket', arguments: { marketId: 'x' } })
    expect(refused.isError).toBe(true)
  })

  it('is opened by a key that the service knows, and by none besides', async () => {
    await expect(connect(url)).rejects.toThrow()
    await expect(connect(url, 'tally_nokeynok_00')).rejects.toThrow('AUTH_FAILED')
    const without = await send({})
    expect([without.statusCode, without.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect((await send(bearer('tally_nokeynok_00'))).statusCode).toBe(401)
    expect((await send(bearer())).statusCode).toBe(200)
  })

  it('answers in a session only the key that opened it, and nobody once it has ended', async () => {
    const { client, transport } = await connect(url, instance.apiKey)
    const session = { 'mcp-session-id': transport.sessionId ?? '' }
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    const other = await world.createKey(instance, ['access:read'])
    expect((await send({ ...bearer(), ...session }, { body })).statusCode).toBe(200)
    expect((await send({ ...bearer(other), ...session }, { body })).statusCode).toBe(404)
    expect((await send(session, { body })).statusCode).toBe(401)
    expect((await send({ ...bearer(), 'mcp-session-id': 'other' }, { body })).statusCode).toBe(404)
    await transport.terminateSession()
    expect((await send({ ...bearer(), ...session }, { body })).statusCode).toBe(404)
    await expect(client.listTools()).rejects.toThrow()
    // Nothing but a beginning begins.
    expect((await send(bearer(), { body })).statusCode).toBe(400)
  })

  it('ends the longest unused session of a key that opens more than ten, and of no other', async () => {
    const other = await connect(url, await world.createKey(instance, ['access:read']))
    const key = await world.createKey(instance, ['tokens:read'])
    const own = []
    for (let opened = 0; opened < 11; opened++) own.push(await connect(url, key))
    await expect(own[0]?.client.listTools()).rejects.toThrow('Session not found')
    expect((await own[1]?.client.listTools())?.tools).not.toEqual([])
    expect((await other.client.listTools()).tools).not.toEqual([])
  })

  it('answers no page of another site, whatever name that had resolved to this machine', async () => {
    const { port, host } = new URL(url)
    expect((await send({ ...bearer(), host: `evil.example:${port}` })).statusCode).toBe(403)
    expect((await send({ ...bearer(), origin: 'http://evil.example' })).statusCode).toBe(403)
    expect((await send({ ...bearer(), origin: 'null' })).statusCode).toBe(403)
    expect((await send({ ...bearer(), host: `localhost:${port}`, origin: `http://${host}` })).statusCode).toBe(200)
    expect((await send(bearer(), { path: '/' })).statusCode).toBe(404)
    expect((await send({ ...bearer(), 'mcp-session-id': 'x' }, { method: 'PUT' })).statusCode).toBe(404)
  })

  it('takes the key of its environment for callers on this machine who send none', async () => {
    const own = await start({ TALLY_API_KEY: instance.apiKey }, '--features', 'tokens', '--read-only')
    expect((await connect(own.url)).names.sort()).toEqual(['detectToken', 'getImport', 'listImports'])
    const narrow = await connect(own.url, await world.createKey(instance, ['access:read']))
    expect(narrow.names).toEqual([])
    own.program.signal('SIGTERM')
    expect(await own.program.ended).toBe(0)
  })

  it('listens elsewhere only under names that were said, and then takes no key but that of the caller', async () => {
    const open = await run('cli', { args: ['mcp', '--http', '0', '--host', '0.0.0.0'] })
    expect(await open.ended).toBe(1)
    expect(open.stderr()).toContain('--allowed-hosts')
    expect(await tallyOn({}).explains('mcp', '--http', 'x')).toContain('x is not a port')
    const named = await start(
      { TALLY_API_KEY: instance.apiKey },
      '--host',
      '0.0.0.0',
      '--allowed-hosts',
      'models.example',
    )
    const { port } = new URL(named.url)
    await expect(connect(`http://127.0.0.1:${port}/mcp`)).rejects.toThrow()
    expect((await connect(`http://127.0.0.1:${port}/mcp`, instance.apiKey)).names).toContain('getInstance')
  })

  it('says when the service cannot be reached, and ends when it is told to', async () => {
    const lost = await start({}, '--url', 'http://127.0.0.1:9')
    await expect(connect(lost.url, instance.apiKey)).rejects.toThrow('The service cannot be reached')
    program.signal('SIGINT')
    expect(await program.ended).toBe(0)
  })
})
