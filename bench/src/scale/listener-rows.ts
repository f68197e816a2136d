import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTestChain } from '@tallystick/testkit'
import postgres from 'postgres'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../../apps/server/src/platform/db/migrate.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { bundledFile } from '../../../apps/server/test/process/programs.ts'
import { call } from '../call.ts'
import { median } from '../measure.ts'
import type { Report } from '../report.ts'
import { createDurableCluster } from '../trading/durable-cluster.ts'
import { OFFCHAIN, SERVER_FLAGS } from '../trading/market.ts'
import { type Child, startChild } from './child.ts'

/** STREAMS_PER_KEY: an instance has few keys, and shall have many listeners. */
const PER_KEY = 1_500
const QUIET_BOOKS = 50
const COMMITS = 200
const PAUSE_MS = 20
/** Longer than it takes to tell everybody that nothing happened, and to ask all keys again. */
const SETTLE_MS = 8_000
const BARS = { kibPerListener: 64, slowdown: 3, notifyShare: 0.5 }

/** A moment, in nanoseconds of the machine's clock. */
type Commit = { readonly commit: string }

async function createVenue(connections: number) {
  const cluster = await createDurableCluster()
  await cluster.createTemplate('bench', async (url) => {
    await migrate(url)
  })
  const { url: databaseUrl } = await cluster.cloneDatabase('bench')
  const chain = await startTestChain()
  const script = await bundledFile(fileURLToPath(new URL('./listener-server.ts', import.meta.url)), 'listener-server')
  const server = startChild([
    ...SERVER_FLAGS,
    '--expose-gc',
    script,
    databaseUrl,
    chain.url,
    String(connections),
    String(PER_KEY),
  ])
  const { port } = await server.next<{ port: number }>('port')
  const clients = startChild([
    '--import',
    'tsx',
    fileURLToPath(new URL('./listener-clients.ts', import.meta.url)),
    String(port),
  ])
  clients.hear((word) => {
    if ('lost' in word) throw new Error(`a listener of ${word.lost} was lost`)
  })
  return {
    databaseUrl,
    chainId: chain.chainId,
    server,
    clients,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await Promise.all([server.stop(), clients.stop()])
      await Promise.all([cluster.stop(), chain.stop()])
    },
  }
}

type Venue = Awaited<ReturnType<typeof createVenue>>

/** An instance with a book that trades and some that do not, and as many keys as its listeners need. */
async function furnish({ databaseUrl, chainId, url }: Venue, keyCount: number) {
  const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const request = { name: 'venue', chainId, environment: 'DEVELOPMENT' as const, services: ['trading' as const] }
  const { instanceId, apiKey } = await operator.createInstance(request)
  const keys: string[] = []
  while (keys.length < keyCount)
    keys.push((await operator.createKey(instanceId, { name: 'listener', scopes: ['trading:read'] })).apiKey)
  await database.close()

  const headers = { 'x-api-key': apiKey }
  const post = (path: string, body: object) =>
    call<{ data: { id: string } }>(`${url}${OFFCHAIN}${path}`, { headers, body })
  const createBook = async () => {
    const [base, quote] = [0, 1].map(() => `0x${randomBytes(20).toString('hex')}`)
    for (const tokenAddress of [base, quote]) await post('/ledger/tokens', { tokenAddress, symbol: 'TKN' })
    const { data } = await post('/order-books', {
      tokenAddress: base,
      quoteTokenAddress: quote,
      name: 'n',
      symbol: 's',
    })
    return { id: data.id, base, quote }
  }
  const busy = await createBook()
  for (const tokenAddress of [busy.base, busy.quote])
    await post('/ledger/credit', { customerRef: 'anna', tokenAddress, amount: '9000000000000000000' })
  const quiet: string[] = []
  while (quiet.length < QUIET_BOOKS) quiet.push((await createBook()).id)
  const order = (turn: number) =>
    post('/orders', {
      ...{ orderBookId: busy.id, customerRef: 'anna', side: 'BUY', orderType: 'LIMIT' },
      ...{ price: String((turn % 50) + 1), quantity: '1000000' },
    })
  return { keys, busy: busy.id, quiet, order }
}

const streamOf = (bookId: string) => `${OFFCHAIN}/order-books/${bookId}/stream`

async function open(clients: Child, wish: { path: string; keys: readonly string[]; each: number; isBusy: boolean }) {
  const listening = clients.next('listening')
  clients.tell(JSON.stringify(wish))
  await listening
}

async function openIdle({ clients }: Venue, quiet: readonly string[], keys: readonly string[], idle: number) {
  for (let left = idle, turn = 0; left > 0; left -= PER_KEY, turn += 1)
    await open(clients, {
      path: streamOf(quiet[turn % quiet.length] ?? ''),
      keys: [keys[turn] ?? ''],
      each: Math.min(PER_KEY, left),
      isBusy: false,
    })
}

/** Milliseconds from each commit until the last listener has it. */
async function timeCommits({ server, clients }: Venue, order: (turn: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < COMMITS; turn += 1) {
    // One after the other, so that the next of each belong together.
    const [committed, heard] = [server.next<Commit>('commit'), clients.next<{ last: string }>('sequence')]
    await order(turn)
    times.push(Number(BigInt((await heard).last) - BigInt((await committed).commit)) / 1e6)
    await sleep(PAUSE_MS)
  }
  return times.sort((a, b) => a - b)
}

/** Milliseconds from a NOTIFY to whoever listens, and nothing around it. */
async function timeNotify(databaseUrl: string): Promise<{ times: number[]; perSecond: number }> {
  const sql = postgres(databaseUrl, { max: 2 })
  let heard = (_word: string) => {}
  await sql.listen('bench_words', (word) => heard(word))
  const times: number[] = []
  const send = (turn: number) =>
    new Promise<void>((resolve, reject) => {
      heard = (word) => {
        if (word === String(turn)) resolve()
      }
      sql`select set_config('synchronous_commit', 'off', false), pg_notify('bench_words', ${String(turn)})`.catch(
        reject,
      )
    })
  const begun = performance.now()
  for (let turn = 0; turn < 10 * COMMITS; turn += 1) {
    const at = performance.now()
    await send(turn)
    times.push(performance.now() - at)
  }
  const perSecond = times.length / ((performance.now() - begun) / 1000)
  await sql.end()
  return { times: times.sort((a, b) => a - b), perSecond }
}

const memoryOf = async ({ server }: Venue) => {
  const said = server.next<{ rss: number; heapUsed: number; cpuMs: number }>('rss')
  server.tell('memory')
  return said
}

const quantile = (times: readonly number[], part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
const both = (times: readonly number[]) =>
  `p50 ${median(times).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`

/** A thousand listeners of a book that trades, without and with ten thousand beside them that only wait. */
export async function measureListeners(report: Report, { idle, busy }: { idle: number; busy: number }): Promise<void> {
  const idleKeys = Math.ceil(idle / PER_KEY)
  const venue = await createVenue(idle + busy + 100)
  try {
    const { keys, busy: busyBook, quiet, order } = await furnish(venue, idleKeys + Math.ceil(busy / PER_KEY))
    for (let left = busy, turn = idleKeys; left > 0; left -= PER_KEY, turn += 1)
      await open(venue.clients, {
        ...{ path: streamOf(busyBook), keys: [keys[turn] ?? ''] },
        ...{ each: Math.min(PER_KEY, left), isBusy: true },
      })
    await timeCommits(venue, order)
    const without = await timeCommits(venue, order)
    const before = await memoryOf(venue)
    const begun = performance.now()
    await openIdle(venue, quiet, keys, idle)
    const openedIn = (performance.now() - begun) / 1000
    await sleep(SETTLE_MS)
    const after = await memoryOf(venue)
    const kib = (after.rss - before.rss) / idle / 1024
    const raw = `${(before.rss / 2 ** 20).toFixed(0)} MiB -> ${(after.rss / 2 ** 20).toFixed(0)} MiB, ${((after.heapUsed - before.heapUsed) / idle / 1024).toFixed(1)} KiB of it heap`
    report.row(`${idle} idle listeners, KiB each`, kib, `<= ${BARS.kibPerListener}`, kib <= BARS.kibPerListener, raw)
    const atRest = await memoryOf(venue)
    await sleep(SETTLE_MS)
    const cpu = ((await memoryOf(venue)).cpuMs - atRest.cpuMs) / SETTLE_MS
    report.row(
      `${idle} idle and ${busy} quiet listeners, part of a core`,
      cpu,
      '<= 0.25',
      cpu <= 0.25,
      `all were there after ${openedIn.toFixed(1)} s`,
    )
    const beside = await timeCommits(venue, order)
    const label = `commit to the last of ${busy}, ${idle} idle ones / none`
    for (const [name, part] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const figure = quantile(beside, part) / quantile(without, part)
      report.row(
        `${label}, ${name}`,
        figure,
        `<= ${BARS.slowdown.toFixed(2)}`,
        figure <= BARS.slowdown,
        `${both(beside)} / ${both(without)}`,
      )
    }
    const notify = await timeNotify(venue.databaseUrl)
    const share = median(notify.times) / median(beside)
    report.row(
      `one NOTIFY, beside a commit told to ${busy}`,
      share,
      `<= ${BARS.notifyShare.toFixed(2)}`,
      share <= BARS.notifyShare,
      `${both(notify.times)}, ${Math.round(notify.perSecond)}/s one after the other`,
    )
  } finally {
    await venue.stop()
  }
}
