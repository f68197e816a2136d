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

describe('PgBouncer in session mode', { timeout: 120_000 }, () => {
  const chain = connectChain(inject('rpcUrl'))
  let direct = ''
  let drop: () => Promise<void>
  let pooler: Pooler
  let api: Program
  let url = ''

  beforeAll(async () => {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: direct, drop } = await cluster.cloneDatabase(TEMPLATE))
    pooler = await startPgBouncer(direct, { pool_mode: 'session', default_pool_size: `${CONNECTIONS_OF_A_PROCESS}` })
    api = await run('api', { env: { DATABASE_URL: pooler.url, RPC_URL: chain.url, PORT: '0' } })
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
