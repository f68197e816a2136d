import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { connectChain, connectTestCluster, deploy, type TcpProxy, tcpProxy } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { callHttp, type HttpRequest } from './http-client.ts'
import { askedSeries, exportedSeries } from './ops-files.ts'
import { type Program, run } from './program.ts'
import { tallyOn } from './tally.ts'

type Api = Program & { readonly url: string }

/** Each start takes seconds: what can be seen of three processes is seen of three, from their start to their end. */
describe('several processes on one database and one chain', () => {
  const chain = connectChain(inject('rpcUrl'))
  let databaseUrl = ''
  let drop: () => Promise<void>
  /** Tells the operator how it is, and takes its time to leave. */
  let first: Api
  /** Its chain can be slowed down. It has longer to finish its work than a test may take: it must end because its work is done. */
  let second: Api
  let secondsChain: TcpProxy
  /** Its chain can be cut off. */
  let worker: Program
  let workersChain: TcpProxy
  const settings = () => ({ DATABASE_URL: databaseUrl, RPC_URL: chain.url, PORT: '0', SHUTDOWN_DELAY_MS: '0' })

  async function startApi(more: Record<string, string> = {}): Promise<Api> {
    const program = await run('api', { env: { ...settings(), ...more } })
    const [, url = ''] = await program.prints(/"url":"(http[^"]+)","msg":"serving HTTP"/)
    return { ...program, url }
  }
  const tally = (...args: string[]) => tallyOn(settings()).answers(...args)
  const createInstance = (): Promise<{ instanceId: string; apiKey: string }> =>
    tally('instances', 'create', 'Replicated', '--chain', '31337')
  const deployToken = (symbol: string): Promise<Address> =>
    deploy(chain, {
      abi: demoCashAbi,
      bytecode: demoCashBytecode,
      args: [`Token ${symbol}`, symbol, 6, chain.accounts[0]?.address],
    })
  const call = (api: Api, key: string, method: string, path: string, more?: HttpRequest) =>
    callHttp(api.url, key, method, path, more)

  beforeAll(async () => {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: databaseUrl, drop } = await cluster.cloneDatabase(TEMPLATE))
    ;[secondsChain, workersChain] = await Promise.all([tcpProxy(chain.url), tcpProxy(chain.url)])
    const following = { RPC_URL: workersChain.url, FOLLOW_INTERVAL_MS: '50', OPS_PORT: '0' }
    ;[first, second, worker] = await Promise.all([
      startApi({ OPS_PORT: '0', SHUTDOWN_DELAY_MS: '4000' }),
      startApi({ RPC_URL: secondsChain.url, SHUTDOWN_GRACE_MS: '120000' }),
      run('worker', { env: { ...settings(), ...following } }),
    ])
    await worker.prints(/following chains/)
  })
  afterAll(async () => {
    await Promise.all([secondsChain.stop(), workersChain.stop()])
    await drop()
  })
  const opsUrlOf = async (program: Program) => {
    const [, opsUrl = ''] = await program.prints(/"url":"(http[^"]+)","msg":"serving health and metrics"/)
    return opsUrl
  }

  it('serve the same data: an import through one is listed by the other', async () => {
    const { instanceId, apiKey } = await createInstance()
    const tokenAddress = await deployToken('ONE')
    const body = { tokenAddress, assetType: 'BOND' }
    expect((await call(first, apiKey, 'POST', '/external-tokens/api/import', { body })).status).toBe(200)
    const listed = await call(second, apiKey, 'GET', '/external-tokens/api/list')
    expect(listed.body.data).toMatchObject([{ tokenAddress: tokenAddress.toLowerCase(), symbol: 'ONE', instanceId }])
    const again = await call(second, apiKey, 'POST', '/external-tokens/api/import', { body })
    expect([again.status, again.body.error.code]).toEqual([400, 'ALREADY_IMPORTED'])
  })

  it('refuse at once a key that was revoked through another, for reads and writes alike', async () => {
    const { apiKey } = await createInstance()
    const body = { name: 'second', scopes: ['access:read', 'access:write', 'tokens:read'] }
    const created = await call(first, apiKey, 'POST', '/access/api/keys', { body })
    const other: string = created.body.data.apiKey
    // Both have seen the key and may have it in their memory.
    for (const api of [first, second]) expect((await call(api, other, 'GET', '/access/api/keys')).status).toBe(200)
    const revoked = await call(first, apiKey, 'DELETE', `/access/api/keys/${created.body.data.keyId}`)
    expect(revoked.body.data.status).toBe('REVOKED')
    for (const api of [second, first]) {
      const read = await call(api, other, 'GET', '/external-tokens/api/list')
      expect([read.status, read.body.error.code]).toEqual([401, 'AUTH_FAILED'])
      const write = await call(api, other, 'POST', '/access/api/keys', { body: { name: 'x', scopes: ['tokens:read'] } })
      expect([write.status, write.body.error.code]).toEqual([401, 'AUTH_FAILED'])
    }
  })

  it('refuse at once a key of an instance that the operator archived from the command line', async () => {
    const { instanceId, apiKey } = await createInstance()
    expect((await call(second, apiKey, 'GET', '/access/api/instance')).status).toBe(200)
    await tally('instances', 'archive', instanceId)
    const refused = await call(second, apiKey, 'GET', '/access/api/instance')
    expect([refused.status, refused.body.error.code]).toEqual([401, 'AUTH_FAILED'])
  })

  it('answer a repeated request with the bytes that another process answered, and do the work once', async () => {
    const { apiKey } = await createInstance()
    const request = {
      body: { name: 'replayed', scopes: ['tokens:read'] },
      headers: { 'idempotency-key': 'across-processes-1' },
    }
    const original = await call(first, apiKey, 'POST', '/access/api/keys', request)
    const replay = await call(second, apiKey, 'POST', '/access/api/keys', request)
    expect(replay.text).toBe(original.text)
    expect(original.headers.get('idempotent-replay')).toBeNull()
    expect(replay.headers.get('idempotent-replay')).toBe('true')
    const { body } = await call(first, apiKey, 'GET', '/access/api/keys')
    expect(body.data.filter((key: { name: string }) => key.name === 'replayed')).toHaveLength(1)
  })

  it('do the work once when the same request reaches both at the same moment', async () => {
    const { apiKey } = await createInstance()
    for (let round = 1; round <= 5; round++) {
      const request = {
        body: { name: `raced ${round}`, scopes: ['tokens:read'] },
        headers: { 'idempotency-key': `raced-${round}-key` },
      }
      const answers = await Promise.all(
        [first, second, first, second].map((api) => call(api, apiKey, 'POST', '/access/api/keys', request)),
      )
      const done = answers.filter(({ status }) => status === 200)
      expect(new Set(done.map(({ text }) => text)).size).toBe(1)
      for (const { status, body } of answers)
        expect(status === 200 || body.error.code === 'IDEMPOTENCY_IN_FLIGHT').toBe(true)
      const { body } = await call(first, apiKey, 'GET', '/access/api/keys')
      expect(body.data.filter((key: { name: string }) => key.name === `raced ${round}`)).toHaveLength(1)
    }
  })

  it('follow the chain in the worker alone, and the worker survives a chain that is away for a while', async () => {
    await workersChain.cut()
    await worker.prints(/following the chain failed; trying again/)
    await workersChain.restore()
    const opsUrl = await opsUrlOf(worker)
    await expect.poll(async () => (await fetch(`${opsUrl}/readyz`)).status).toBe(200)
    for (const api of [first, second]) expect(api.stdout()).not.toContain('following')
    expect(worker.stderr()).toBe('')
  })

  it('show the worker too: whether it follows its chains, and its figures', async () => {
    const opsUrl = await opsUrlOf(worker)
    expect(await (await fetch(`${opsUrl}/healthz`)).json()).toMatchObject({ status: 'ok' })
    const readiness = async () => (await (await fetch(`${opsUrl}/readyz`)).json()) as { status: string }
    expect(await readiness()).toMatchObject({
      status: 'ready',
      parts: [{ part: 'database' }, { part: 'chain 31337' }, { part: 'following chain 31337' }],
    })
    const figures = async () => (await fetch(`${opsUrl}/metrics`)).text()
    for (const series of ['tally_chain_followed', 'tally_invariants_held', 'tally_chain_nodes_reachable'])
      await expect.poll(figures).toContain(`\n${series}{chain="31337"} `)
    expect(await figures()).toContain('tally_process_info{process="worker"')
    const { all, always } = askedSeries()
    const { declared } = exportedSeries(await figures())
    expect(all.filter((series) => !declared.has(series))).toEqual([])
    // What somebody is woken for when it is not there has to be there.
    const missing = async () => {
      const { valued } = exportedSeries(await figures())
      return always.filter((series) => !valued.has(series))
    }
    await expect.poll(missing).toEqual([])
    await workersChain.cut()
    await expect.poll(async () => (await readiness()).status).toBe('degraded')
    await workersChain.restore()
    await expect.poll(async () => (await readiness()).status).toBe('ready')
    worker.signal('SIGTERM')
    expect(await worker.ended).toBe(0)
    expect(worker.stderr()).toBe('')
  })

  it('serve the operator on a port of their own, and none unless told to', async () => {
    expect(second.stdout()).not.toContain('serving health and metrics')
    const opsUrl = await opsUrlOf(first)
    expect(await (await fetch(`${opsUrl}/readyz`)).json()).toMatchObject({ status: 'ready', parts: [{}, {}, {}] })
    expect((await call(first, (await createInstance()).apiKey, 'GET', '/access/api/instance')).status).toBe(200)
    const { declared, valued } = exportedSeries(await (await fetch(`${opsUrl}/metrics`)).text())
    for (const series of [
      'tally_process_info',
      'tally_http_request_seconds_bucket',
      'tally_streams',
      'tally_group_queue',
    ])
      expect(valued).toContain(series)
    expect(askedSeries().all.filter((series) => !declared.has(series))).toEqual([])
    expect((await fetch(`${first.url}/metrics`)).status).toBe(404)
    const taken = await run('api', { env: { ...settings(), OPS_PORT: new URL(opsUrl).port } })
    expect(await taken.ended).toBe(1)
    expect(taken.stderr()).toMatch(
      /^tallystick: OPS_HOST=127\.0\.0\.1 with OPS_PORT=\d+ cannot be listened on \(EADDRINUSE\)\.\n$/,
    )
  })

  it('finish running requests when told to end, take no new ones, and end with code 0', async () => {
    const { apiKey } = await createInstance()
    const tokenAddress = await deployToken('LATE')
    secondsChain.delay(400)
    const before = secondsChain.counts.bytesToTarget
    const body = { tokenAddress, assetType: 'BOND' }
    const running = call(second, apiKey, 'POST', '/external-tokens/api/import', { body })
    // The request has reached the chain when it is told to end.
    while (secondsChain.counts.bytesToTarget === before) await new Promise((resolve) => setTimeout(resolve, 5))
    second.signal('SIGTERM')
    expect((await running).status).toBe(200)
    expect(await second.ended).toBe(0)
    await expect(fetch(`${second.url}/healthz`)).rejects.toThrow()
    const { body: kept } = await call(first, apiKey, 'GET', '/external-tokens/api/list')
    expect(kept.data).toHaveLength(1)
  })

  it('say that they stop before they do, and serve what still comes meanwhile', async () => {
    const { apiKey } = await createInstance()
    const opsUrl = await opsUrlOf(first)
    const ready = async () => (await fetch(`${first.url}/readyz`)).status
    expect(await ready()).toBe(200)
    first.signal('SIGTERM')
    await expect.poll(ready, { timeout: 3_900 }).toBe(503)
    expect((await call(first, apiKey, 'GET', '/external-tokens/api/list')).status).toBe(200)
    expect(await first.ended).toBe(0)
    expect(first.stderr()).toBe('')
    await expect(fetch(opsUrl)).rejects.toThrow()
  })

  it('migrate an empty database when API and worker run in one process, and seed nothing', async () => {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    await cluster.createTemplate('tally_empty', async () => {})
    const empty = await cluster.cloneDatabase('tally_empty')
    const program = await run('embedded', { env: { ...settings(), DATABASE_URL: empty.url } })
    const [, url = ''] = await program.prints(/"url":"(http[^"]+)","msg":"serving HTTP and following chains"/)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const listing = await run('cli', { env: { ...settings(), DATABASE_URL: empty.url }, args: ['instances', 'list'] })
    expect(await listing.ended).toBe(0)
    expect(JSON.parse(listing.stdout())).toEqual([])
    program.signal('SIGINT')
    expect(await program.ended).toBe(0)
    await empty.drop()
  })
})
