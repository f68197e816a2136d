import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChainNode,
  freePort,
  PortInUseError,
  type RunningPostgres,
  startChain,
  startPostgres,
} from '@tallystick/embedded'
import { chosenEngine, connectTestCluster } from '@tallystick/testkit'
import { migrate } from '../../../apps/server/src/platform/db/migrate.ts'
import { bundled } from '../../../apps/server/test/process/programs.ts'

export type Part = 'postgres' | 'chain' | 'worker'

export interface Deployment {
  readonly databaseUrl: string
  readonly rpcUrl: string
  /** Connects past every policy, to see what was really written. */
  readonly superuserUrl: string
  readonly apiUrls: readonly [string, string]
  killAndRestartApi(index: 0 | 1): Promise<void>
  killAndRestart(part: Part): Promise<void>
  /** Processes that ended although nobody killed them, with what they said. */
  readonly ownDeaths: readonly string[]
  stop(): Promise<void>
}

/** Both match and pass orders on to each other; neither knows the other one; or the second one only speaks HTTP for the first. */
export type Servers = 'peers' | 'alone' | 'front'

export interface DeploymentOptions {
  readonly servers?: Servers
}

/** On a machine that is busy with other things. */
const READY_TIMEOUT_MS = 120_000
const PEER_SECRET = 'a secret that both servers of the soak know'

/** Two API processes, a worker, a database that keeps its promises (fsync on) and a chain, each of which can be killed. */
export async function startDeployment({ servers = 'peers' }: DeploymentOptions = {}): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-soak-'))
  chmodSync(folder, 0o755)
  const [databasePort, chainPort, ...apiPorts] = await freePorts(4)
  const openDatabase = () => startPostgres({ dataDir: join(folder, 'postgres'), port: databasePort, durable: true })
  const openChain = () =>
    startChain({ folder: join(folder, 'chain'), ...chosenEngine(), port: chainPort, now: () => new Date() })

  let database: RunningPostgres = await openDatabase()
  let chain: ChainNode = await openChain()
  const cluster = await connectTestCluster(database.url)
  await cluster.createTemplate('soak_template', async (url) => {
    await migrate(url)
  })
  const { url: databaseUrl } = await cluster.cloneDatabase('soak_template')
  const superuserUrl = Object.assign(new URL(database.url), { pathname: new URL(databaseUrl).pathname }).toString()

  const ownDeaths: string[] = []
  const killed = new WeakSet<ChildProcess>()
  function knowing(port: number): Record<string, string> {
    if (servers === 'alone') return {}
    const matching: Record<string, string> =
      servers === 'front' ? { ORDER_SERVERS: `http://127.0.0.1:${apiPorts[0]}` } : {}
    return { PEER_URL: `http://127.0.0.1:${port}`, PEER_SECRET, ...matching }
  }
  async function launch(main: 'api' | 'worker', port = 0): Promise<ChildProcess> {
    const child = spawn(process.execPath, [await bundled(main)], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        RPC_URL: chain.url,
        PORT: String(port),
        ...(main === 'api' ? knowing(port) : {}),
        LOG_LEVEL: 'silent',
        FOLLOW_INTERVAL_MS: '100',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
    })
    child.once('close', (code) => {
      if (!killed.has(child)) ownDeaths.push(`${main} ended by itself with ${code}: ${said.trim()}`)
    })
    return child
  }
  async function kill(child: ChildProcess): Promise<void> {
    killed.add(child)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  async function launchApi(port: number): Promise<ChildProcess> {
    const child = await launch('api', port)
    const deadline = Date.now() + READY_TIMEOUT_MS
    while (!(await isReady(port)) && child.exitCode === null) {
      if (Date.now() > deadline) throw new Error(`the API on port ${port} did not become ready`)
      await sleep(15)
    }
    return child
  }

  const apis = await Promise.all(apiPorts.map(launchApi))
  let worker = await launch('worker')
  const restart = {
    async postgres() {
      database.kill9()
      await database.exited
      database = await whenPortIsFree(openDatabase)
    },
    async chain() {
      chain.kill9()
      await chain.exited
      chain = await whenPortIsFree(openChain)
    },
    async worker() {
      await kill(worker)
      worker = await launch('worker')
    },
  }

  async function stop(): Promise<void> {
    process.off('SIGINT', interrupted)
    await Promise.all([...apis, worker].map(kill))
    await Promise.all([database.stop(), chain.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
  const interrupted = () => void stop().finally(() => process.exit(130))
  process.once('SIGINT', interrupted)

  return {
    databaseUrl,
    rpcUrl: chain.url,
    superuserUrl,
    apiUrls: [`http://127.0.0.1:${apiPorts[0]}`, `http://127.0.0.1:${apiPorts[1]}`],
    async killAndRestartApi(index) {
      const child = apis[index]
      if (child) await kill(child)
      apis[index] = await launchApi(apiPorts[index] ?? 0)
    },
    killAndRestart: (part) => restart[part](),
    ownDeaths,
    stop,
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok
  } catch {
    return false
  }
}

/** The last children of a killed server hold its port for a moment. */
async function whenPortIsFree<Running>(start: () => Promise<Running>): Promise<Running> {
  for (let left = 100; ; left--) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof PortInUseError) || left === 0) throw error
      await sleep(50)
    }
  }
}
