import { setTimeout as sleep } from 'node:timers/promises'
import { connectChain, connectTestCluster } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { connectSuperuser } from '../superuser.ts'
import { callHttp } from './http-client.ts'
import { type Program, run } from './program.ts'

const OFFCHAIN = '/orderbooks/stocks/api/offchain'

type Api = Program & { readonly url: string }

describe('API processes on one database', { timeout: 300_000 }, () => {
  const chain = connectChain(inject('rpcUrl'))
  let databaseUrl = ''
  let drop: () => Promise<void>
  let superuser: Sql
  let apiKey = ''
  let bookId = ''

  const settings = () => ({ DATABASE_URL: databaseUrl, RPC_URL: chain.url, PORT: '0' })
  async function startApi(more: Record<string, string> = {}): Promise<Api> {
    const program = await run('api', { env: { ...settings(), ...more } })
    const [, url = ''] = await program.prints(/"url":"(http[^"]+)","msg":"serving HTTP"/)
    return { ...program, url }
  }
  const post = (api: Api, path: string, body: unknown) =>
    callHttp(api.url, apiKey, 'POST', `${OFFCHAIN}${path}`, { body })
  async function must(answer: ReturnType<typeof post>) {
    const { status, body, text } = await answer
    expect(status, text).toBe(200)
    return body.data
  }

  beforeAll(async () => {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: databaseUrl, drop } = await cluster.cloneDatabase(TEMPLATE))
    superuser = connectSuperuser(databaseUrl)
    const cli = await run('cli', { env: settings(), args: ['instances', 'create', 'Stressed', '--chain', '31337'] })
    expect(await cli.ended, cli.stderr()).toBe(0)
    apiKey = JSON.parse(cli.stdout()).apiKey
    const api = await startApi()
    const [tokenAddress, quoteTokenAddress] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
    for (const token of [tokenAddress, quoteTokenAddress]) {
      await must(post(api, '/ledger/tokens', { tokenAddress: token, symbol: 'T' }))
      const amount = '1000000000000000'
      await must(post(api, '/ledger/credit', { customerRef: 'anna', tokenAddress: token, amount }))
    }
    const book = { tokenAddress, quoteTokenAddress, name: 'Stressed', symbol: 'STR' }
    bookId = (await must(post(api, '/order-books', book))).id
    await api.kill9()
  }, 120_000)
  afterAll(async () => {
    await superuser.end()
    await drop()
  })

  const order = (api: Api) =>
    post(api, '/orders', {
      ...{ orderBookId: bookId, customerRef: 'anna', side: 'SELL', orderType: 'LIMIT' },
      ...{ price: '40000000', quantity: '1000' },
    })
  const depth = (api: Api) => callHttp(api.url, apiKey, 'GET', `${OFFCHAIN}/order-books/${bookId}/snapshot`)
  const resting = async () => {
    const [row] = await superuser`select count(*)::int as count from orders where book_id = ${bookId}`
    return row?.count as number
  }

  it('stopped in the middle of a group: the others serve the book within 5 s, and nobody waits to read it', async () => {
    const [stopping, other] = [await startApi(), await startApi()]
    await must(order(other))
    const figures: { served: number; read: number }[] = []
    for (let trial = 1; trial <= 60 && figures.length < 5; trial += 1) {
      // Whoever answers has the ledger.
      await must(order(stopping))
      let unanswered = 20
      const sent = Array.from({ length: unanswered }, async () => {
        await order(stopping).catch(() => undefined)
        unanswered -= 1
      })
      // Each time somewhere else between the first that comes in and the last that is answered.
      await sleep(trial * 3)
      stopping.signal('SIGSTOP')
      if (unanswered > 0) {
        const since = performance.now()
        let read = 0
        const reading = (async () => {
          for (let count = 0; count < 10; count += 1) {
            const from = performance.now()
            expect((await depth(other)).status).toBe(200)
            read = Math.max(read, performance.now() - from)
            await sleep(100)
          }
        })()
        for (;;) {
          const { status, body } = await order(other)
          if (status === 200) break
          expect([status, body.error.code]).toEqual([503, 'OVERLOADED'])
        }
        const served = performance.now() - since
        await reading
        figures.push({ served: Math.round(served), read: Math.round(read) })
      }
      stopping.signal('SIGCONT')
      await Promise.all(sent)
    }
    console.log('stopped in the middle of a group, milliseconds:', JSON.stringify(figures))
    expect(figures).toHaveLength(5)
    for (const { served, read } of figures) {
      expect(served).toBeLessThan(5_000)
      expect(read).toBeLessThan(1_000)
    }
    // It woke up, noticed, and serves again.
    await must(order(stopping))
    const shown = (await depth(stopping)).body.data.depth.asks[0]
    expect(shown.orderCount).toBe(await resting())
    await Promise.all([stopping.kill9(), other.kill9()])
  })

  it('restarted one after the other under load lose no request', async () => {
    let replicas = [await startApi(), await startApi()]
    let ready: Api[] = [...replicas]
    let isOver = false
    /** A balancer: it asks every 200 ms who is ready, and sends requests to those only. */
    const balancing = (async () => {
      while (!isOver) {
        const states = await Promise.all(
          replicas.map((api) =>
            fetch(`${api.url}/readyz`).then(
              ({ status }) => status === 200,
              () => false,
            ),
          ),
        )
        ready = replicas.filter((_, index) => states[index])
        await sleep(200)
      }
    })()
    const before = await resting()
    const answers = { good: 0, bad: [] as unknown[] }
    const load = Array.from({ length: 8 }, async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const api = ready[turn % ready.length]
        if (!api) {
          answers.bad.push('nobody is ready')
          await sleep(50)
          continue
        }
        await order(api).then(
          ({ status, text }) => {
            if (status === 200) answers.good += 1
            else answers.bad.push(text)
          },
          (error: unknown) => answers.bad.push(String(error)),
        )
      }
    })
    for (const leaving of [...replicas]) {
      const fresh = await startApi()
      replicas = [...replicas, fresh]
      await sleep(500)
      leaving.signal('SIGTERM')
      expect(await leaving.ended).toBe(0)
      replicas = replicas.filter((api) => api !== leaving)
    }
    isOver = true
    await Promise.all([...load, balancing])
    console.log('rolling restart:', answers.good, 'orders,', answers.bad.length, 'lost')
    expect(answers.bad).toEqual([])
    expect(await resting()).toBe(before + answers.good)
    await Promise.all(replicas.map((api) => api.kill9()))
  })
})
