import { writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { listMigrations } from '../../../apps/server/src/platform/db/migrate.ts'
import { cutUserFromPorts } from './network.ts'
import { PORTS } from './places.ts'
import type { ServiceProcess } from './processes.ts'
import { PatientClient } from './rolling.ts'
import type { Figures, Scenario, Stage } from './scenario.ts'
import { tally } from './start-cluster.ts'
import { until } from './until.ts'

const TAKE_OVER_MS = 5_000
const OFFCHAIN = '/orderbooks/stocks/api/offchain'

/** The API that matches the orders of the load. */
async function ownerOf({ cluster, load }: Stage): Promise<ServiceProcess> {
  const sql = postgres(cluster.urls.superuser, { max: 1, fetch_types: false, onnotice: () => undefined })
  try {
    return await until('an API matches in memory', 20_000, async () => {
      const [lane] = await sql<{ url: string }[]>`
        select owner_url as url from lanes where lane_id = ${load.market.instanceId} and lease_until > clock_timestamp()`
      return cluster.apis.find(({ url }) => url === lane?.url)
    })
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Asks an API for something that only the owner of the ledger can do; a new name each time. */
async function isServedBy(api: ServiceProcess, { market }: Stage['load'], name: string): Promise<boolean> {
  const order = { side: 'BUY', orderType: 'LIMIT', price: '10000', quantity: '10000', timeInForce: 'IOC' }
  const answer = await fetch(`${api.url}${OFFCHAIN}/orders`, {
    method: 'POST',
    headers: { 'x-api-key': market.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ orderBookId: market.books[0], customerRef: `nobody-${name}`, ...order }),
    signal: AbortSignal.timeout(8_000),
  })
  // The customer has no money: only whoever has the ledger can tell.
  return answer.status < 500 && answer.status !== 429
}

/** Breaks the API that matches, and looks how soon each of the others serves its ledger. */
async function breakOwner(
  stage: Stage,
  broken: (owner: ServiceProcess) => void | Promise<void>,
  mended: (owner: ServiceProcess) => void | Promise<void>,
): Promise<Figures> {
  const owner = await ownerOf(stage)
  const streams = stage.load.streams()
  const at = Date.now()
  await broken(owner)
  const others = stage.cluster.apis.filter((api) => api !== owner)
  const times = await Promise.all(
    others.map(async (api) => {
      // Several are on their way at once: one that hangs must not hide that a later one is served, however long that one takes.
      let servedMs: number | undefined
      for (let turn = 0; servedMs === undefined && Date.now() - at < 30_000; turn += 1) {
        void isServedBy(api, stage.load, String(turn)).then(
          (isServed) => {
            if (isServed) servedMs ??= Date.now() - at
          },
          () => {},
        )
        await sleep(200)
      }
      return servedMs ?? 30_000
    }),
  )
  await sleep(Math.min(stage.seconds, 10) * 1000)
  await mended(owner)
  await until(`${owner.name} is ready`, 30_000, async () =>
    (await fetch(`${owner.opsUrl}/readyz`)).ok ? true : undefined,
  )
  return { servedElsewhereMs: Math.max(...times), streamsOpenedAgain: stage.load.streams() - streams }
}

/** Replaces every process by one that is started anew, while a client with one retry goes on. */
async function replaceAll({ cluster, load }: Stage, between: () => Promise<void>): Promise<Figures> {
  const client = new PatientClient(cluster.urls.api, load.market)
  await between()
  for (const service of [...cluster.workers, ...cluster.apis]) {
    await service.terminate()
    await service.start()
    // Until the balancer has seen it.
    await sleep(2_500)
  }
  const { asked, retried, failed } = await client.stop()
  return { asked, retried, failed }
}

export const serviceScenarios: Record<string, Scenario> = {
  'kill-api': {
    says: 'kill -9 of the API that matches',
    bars: { servedElsewhereMs: TAKE_OVER_MS },
    times: 3,
    run: (stage) =>
      breakOwner(
        stage,
        (api) => api.kill9(),
        (api) => api.start(),
      ),
  },
  'stop-api': {
    says: 'the API that matches stands still, and goes on later',
    bars: { servedElsewhereMs: TAKE_OVER_MS },
    times: 1,
    run: (stage) =>
      breakOwner(
        stage,
        (api) => api.signal('SIGSTOP'),
        (api) => api.signal('SIGCONT'),
      ),
  },
  'cut-api': {
    says: 'the API that matches cannot reach the database, and its clients reach it',
    bars: { servedElsewhereMs: TAKE_OVER_MS },
    times: 1,
    run(stage) {
      let mend = () => {}
      return breakOwner(
        stage,
        (api) => {
          mend = cutUserFromPorts(stage.cluster.tree.folder, api.uid, [PORTS.primary, PORTS.pooler])
        },
        () => mend(),
      )
    },
  },
  haproxy: {
    says: 'HAProxy is killed and started again',
    bars: { gapMs: 6_000 },
    times: 1,
    run: (stage) => restarted(stage, 'haproxy', 0),
  },
  pgbouncer: {
    says: 'PgBouncer is killed and started again',
    bars: { gapMs: 6_000 },
    times: 1,
    run: (stage) => restarted(stage, 'pgbouncer', 0),
  },
  valkey: {
    says: 'Valkey is gone for a while: each API counts for itself, and nobody waits',
    bars: { gapMs: 2_000, apisThatDidNotSaySo: 0 },
    times: 1,
    async run(stage) {
      const figures = await restarted(stage, 'valkey', 10, async () => {
        const told = await Promise.all(
          stage.cluster.apis.map(async ({ opsUrl }) => (await fetch(`${opsUrl}/metrics`)).text()),
        )
        return told.filter((text) => !/^tally_limit_store_up 0$/m.test(text)).length
      })
      return figures
    },
  },
  'rolling-restart': {
    says: 'every process is replaced, one after the other',
    bars: { failed: 0 },
    times: 1,
    run: (stage) => replaceAll(stage, async () => {}),
  },
  'rolling-upgrade': {
    says: 'the schema moves on by one version under the old release, then every process is replaced by the new one',
    bars: { failed: 0 },
    times: 1,
    run: (stage) =>
      replaceAll(stage, async () => {
        const { data, env } = stage.cluster
        const newest = listMigrations().at(-1)?.version ?? 0
        // A release that knows one version more; its processes are those of the files that lie there when they start.
        const text = 'alter table instances add column upgraded_in_a_soak boolean not null default false;\n'
        const name = `${String(newest + 1).padStart(4, '0')}-soak.sql`
        await cp(join(data, 'dist'), join(data, 'release'), { recursive: true })
        writeFileSync(join(data, 'release/apps/server/migrations', name), text)
        await tally(join(data, 'release'), env, 'migrate')
        writeFileSync(join(data, 'dist/apps/server/migrations', name), text)
      }),
  },
}

async function restarted(
  { cluster, load }: Stage,
  program: 'haproxy' | 'pgbouncer' | 'valkey',
  awaySeconds: number,
  meanwhile?: () => Promise<number>,
): Promise<Figures> {
  const at = Date.now()
  await cluster.entry.kill(program)
  await sleep(awaySeconds * 1000)
  const silent = await meanwhile?.()
  await cluster.entry.start(program)
  const before = load.orders()
  await until('orders are acknowledged', 60_000, async () => (load.orders() > before + 5 ? true : undefined), 20)
  return { gapMs: load.longestGap(at), ...(silent === undefined ? {} : { apisThatDidNotSaySo: silent }) }
}
