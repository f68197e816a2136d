import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { connectChain, connectTestCluster, deploy } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { callHttp } from './http-client.ts'
import { type Pooler, startPgBouncer } from './pgbouncer.ts'
import { type Program, run } from './program.ts'

/** The default of DATABASE_POOL, and the eight that every process has beside it. */
const CONNECTIONS_OF_A_PROCESS = 28

const modes = ['session', 'transaction'] as const

describe.each(modes)('PgBouncer in %s mode', (mode) => {
  const chain = connectChain(inject('rpcUrl'))
  let direct = ''
  let drop: () => Promise<void>
  let pooler: Pooler
  let api: Program
  let url = ''

  beforeAll(async () => {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: direct, drop } = await cluster.cloneDatabase(TEMPLATE))
    // In transaction mode far fewer connections do for everybody.
    const size = mode === 'session' ? CONNECTIONS_OF_A_PROCESS : 4
    pooler = await startPgBouncer(direct, { pool_mode: mode, default_pool_size: `${size}` })
    const past: Record<string, string> = mode === 'session' ? {} : { DATABASE_DIRECT_URL: direct }
    api = await run('api', { env: { DATABASE_URL: pooler.url, ...past, RPC_URL: chain.url, PORT: '0' } })
    ;[, url = ''] = await api.prints(/"url":"(http[^"]+)","msg":"serving HTTP"/)
  }, 120_000)
  afterAll(async () => {
    await api?.kill9()
    await pooler?.stop()
    await drop?.()
  })

  async function createInstance(): Promise<string> {
    const args = ['instances', 'create', 'Pooled', '--chain', '31337']
    const cli = await run('cli', { env: { DATABASE_URL: direct, RPC_URL: chain.url }, args })
    expect(await cli.ended, cli.stderr()).toBe(0)
    return JSON.parse(cli.stdout()).apiKey
  }
  const deployToken = (symbol: string): Promise<Address> =>
    deploy(chain, {
      abi: demoCashAbi,
      bytecode: demoCashBytecode,
      args: [`Token ${symbol}`, symbol, 6, chain.accounts[0]?.address],
    })
  const list = (apiKey: string) => callHttp(url, apiKey, 'GET', '/external-tokens/api/list')
  const symbolsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.data.map(({ symbol }: { symbol: string }) => symbol)

  it('serves reads and writes of many requests at once, each with the rows of its own instance', async () => {
    const keys = [await createInstance(), await createInstance()]
    const symbols = ['POOLA', 'POOLB']
    for (const [index, apiKey] of keys.entries()) {
      const body = { tokenAddress: await deployToken(symbols[index] ?? ''), assetType: 'BOND' }
      expect((await callHttp(url, apiKey, 'POST', '/external-tokens/api/import', { body })).status).toBe(200)
    }
    const rounds = Array.from({ length: 100 }, (_, index) => index % 2)
    const seen = await Promise.all(
      rounds.map(async (which) => {
        const apiKey = keys[which] ?? ''
        const [listed, named] = await Promise.all([list(apiKey), callHttp(url, apiKey, 'GET', '/access/api/keys')])
        return [listed.status, named.status, symbolsOf(listed)]
      }),
    )
    expect(seen).toEqual(rounds.map((which) => [200, 200, [symbols[which]]]))
  })

  it('takes orders of many books at once, with and without a key, and loses none', async () => {
    const OFFCHAIN = '/orderbooks/stocks/api/offchain'
    const apiKey = await createInstance()
    const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const answer = await callHttp(url, apiKey, 'POST', `${OFFCHAIN}${path}`, { body, headers })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    }
    const [tokenAddress, quoteTokenAddress] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
    for (const token of [tokenAddress, quoteTokenAddress]) {
      await post('/ledger/tokens', { tokenAddress: token, symbol: 'T' })
      await post('/ledger/credit', { customerRef: 'anna', tokenAddress: token, amount: '1000000000' })
    }
    const book = { tokenAddress, quoteTokenAddress, name: 'Pooled', symbol: 'POOL' }
    const { id } = await post('/order-books', book)
    const request = {
      orderBookId: id,
      customerRef: 'anna',
      side: 'SELL',
      orderType: 'LIMIT',
      price: '40000000',
      quantity: '1000000',
    }
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        post('/orders', request, index % 2 ? { 'idempotency-key': `pooled-order-${index}` } : {}),
      ),
    )
    const { body } = await callHttp(url, apiKey, 'GET', `${OFFCHAIN}/order-books/${id}/snapshot`)
    expect(body.data.depth.asks).toEqual([{ price: '40000000', quantity: '60000000', orderCount: 60 }])
  })

  it('is not ready while the pooler is gone, and is again when it is back', async () => {
    const readiness = async () => (await fetch(`${url}/readyz`)).status
    expect(await readiness()).toBe(200)
    await pooler.pause()
    await expect.poll(readiness, { timeout: 30_000 }).toBe(503)
    await pooler.resume()
    await expect.poll(readiness, { timeout: 30_000 }).toBe(200)
    expect((await list(await createInstance())).status).toBe(200)
  })
})
