import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ChainNode, startChain, stopAbandonedChains } from '@tallystick/embedded'
import { chosenEngine } from '@tallystick/testkit'
import postgres from 'postgres'
import { PROGRAMS, writeTree } from '../../../tools/src/build/tree.ts'
import { type ChainFront, startChainFront } from './chain-front.ts'
import { type DatabaseMachines, type Secrets, startDatabaseMachines } from './database.ts'
import { type Entry, startEntry } from './entry.ts'
import { makeSwitch } from './network.ts'
import { cacheFolder, configurations, PORTS } from './places.ts'
import { createServiceProcess, SERVICES, type ServiceProcess } from './processes.ts'
import { fillTemplate, parseEnv } from './template.ts'
import { missingForCluster, openTree, type Tree } from './tree.ts'
import { until } from './until.ts'

export interface Cluster {
  readonly tree: Tree
  readonly data: string
  readonly secrets: Secrets
  /** What every process of the service is told. */
  readonly env: Readonly<Record<string, string>>
  readonly database: DatabaseMachines
  readonly entry: Entry
  readonly chain: ChainNode
  readonly front: ChainFront
  readonly apis: readonly ServiceProcess[]
  readonly workers: readonly ServiceProcess[]
  readonly urls: {
    /** The one address of the API. */
    readonly api: string
    readonly pooler: string
    readonly primary: string
    readonly replicas: string
    /** Past every policy, to see what was really written. */
    readonly superuser: string
  }
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly say?: (line: string) => void
  /** The negative control of the soak: commits are answered by one machine alone. */
  readonly synchronousCommit?: 'on' | 'local'
  readonly settings?: Readonly<Record<string, string>>
}

const isThere = (program: string): boolean =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  )

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A folder for this start alone. What an earlier one left, which was killed, is taken away: nothing of it runs any more. */
function claimFolder(cache: string): string {
  const data = join(cache, 'run')
  const owner = join(data, 'pid')
  const pid = existsSync(owner) ? Number(readFileSync(owner, 'utf8')) : 0
  if (pid > 0 && pid !== process.pid && isAlive(pid)) throw new Error(`a cluster runs already, as process ${pid}`)
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  chmodSync(data, 0o755)
  writeFileSync(owner, String(process.pid))
  return data
}

const secret = () => randomBytes(24).toString('hex')

/** The whole reference deployment on this machine. Everything ends with this process, however it ends. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { say = () => {} } = options
  const missing = missingForCluster({ platform: process.platform, uid: process.getuid?.(), has: isThere })
  if (missing) throw new Error(missing)
  const cache = cacheFolder(process.env)
  const tree = await openTree(cache, say)
  const data = claimFolder(cache)
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
    rmSync(data, { recursive: true, force: true })
  }
  try {
    stops.push(makeSwitch(tree.folder))
    const secrets: Secrets = {
      superuser: secret(),
      replicator: secret(),
      rewinder: secret(),
      service: secret(),
      peers: secret(),
    }
    say('starting three machines with Patroni and PostgreSQL, and three with etcd')
    const { synchronousCommit = 'on' } = options
    const database = await startDatabaseMachines({ tree: tree.folder, data, secrets, synchronousCommit })
    stops.push(() => database.stop())
    const built = writeTree(join(data, 'dist'), PROGRAMS)
    // The one part that outlives a start which was killed.
    await stopAbandonedChains()
    const chain = await startChain({ ...chosenEngine(), port: PORTS.chain, now: () => new Date() })
    stops.push(() => chain.stop())
    const front = await startChainFront(chain.url, PORTS.rpc)
    stops.push(() => front.stop())
    await database.whole()
    say('starting HAProxy, PgBouncer and Valkey')
    const entry = await startEntry({ tree: tree.folder, data, secrets })
    stops.push(() => entry.stop())
    const at = (user: string, password: string, port: number) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/tallystick`
    const urls = {
      api: `http://127.0.0.1:${PORTS.api}`,
      pooler: at('tallystick', secrets.service, PORTS.pooler),
      primary: at('tallystick', secrets.service, PORTS.primary),
      replicas: at('tallystick', secrets.service, PORTS.replicas),
      superuser: at('postgres', secrets.superuser, PORTS.primary),
    }
    await createServiceDatabase(urls.superuser, secrets.service)
    await built
    say('migrating')
    const env = parseEnv(
      fillTemplate(readFileSync(join(configurations, 'service.env'), 'utf8'), {
        poolerUrl: urls.pooler,
        primaryUrl: urls.primary,
        replicasUrl: urls.replicas,
        rpcUrl: front.url,
        limitsPort: PORTS.limits,
        peerSecret: secrets.peers,
      }),
    )
    await tally(join(data, 'dist'), env, 'migrate')
    say('starting three APIs and two workers')
    const services = SERVICES.map((place) =>
      createServiceProcess(place, { dist: join(data, 'dist'), data, env: { ...env, ...options.settings } }),
    )
    stops.push(() => Promise.all(services.map((service) => service.kill9())))
    await Promise.all(services.map((service) => service.start()))
    await until('the API answers at its one address', 15_000, async () =>
      (await fetch(`${urls.api}/readyz`)).ok ? true : undefined,
    )
    const [apis, workers] = [services.filter(({ url }) => url), services.filter(({ url }) => !url)]
    return { tree, data, secrets, env, database, entry, chain, front, apis, workers, urls, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The user of the service owns its database, makes roles, and is no superuser. */
async function createServiceDatabase(superuserUrl: string, password: string): Promise<void> {
  const url = Object.assign(new URL(superuserUrl), { pathname: '/postgres' }).href
  const sql = postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false })
  try {
    await until('the primary takes writes', 20_000, async () => sql`select 1`)
    await sql.unsafe(`create role tallystick login createrole password '${password}'`)
    await sql.unsafe('create database tallystick owner tallystick')
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The command line, as an operator runs it, beside everything that goes on meanwhile. */
export async function tally(dist: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(dist, 'tally.js'), ...args], { env: { PATH: process.env.PATH, ...env } })
  const [ended, stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  if (ended[0] !== 0) throw new Error(`tally ${args.join(' ')}: ${stderr}`)
  return stdout
}
