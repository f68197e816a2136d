import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ChainNode,
  isPortFree,
  type RunningPostgres,
  requireUsableData,
  startChain,
  startPostgres,
  stopLeftBehind,
} from '@tallystick/embedded'
import postgres from 'postgres'
import type { Endpoints } from './connections.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { Random } from './platform/random.ts'
import { announceStack, withdrawStack } from './stack-file.ts'

export const EMBEDDED_CHAIN_ID = 31_337
const BLOCK_TIME_SECONDS = 2

export interface EmbeddedStack {
  readonly endpoints: Endpoints
  readonly rpcUrl: string
  /** Resolves with the name of a part that ended although nobody asked it to. */
  readonly broken: Promise<string>
  stop(): Promise<void>
}

function paths(dataDir: string) {
  return {
    postgres: join(dataDir, 'postgres'),
    password: join(dataDir, 'database.password'),
    chain: join(dataDir, 'chain'),
  }
}

export const chainFolder = (dataDir: string): string => paths(dataDir).chain

/** What a demo on this stack writes down for itself; deleted and backed up with the rest. */
export const demoFile = (dataDir: string): string => join(dataDir, 'demo.json')

const ourFiles = /^(postgres([.].+)?|chain([.]log)?|database[.]password|demo[.]json|stack[.]json|tallystick[.]log)$/

/** Deletes what earlier starts made, and only that: the folder may hold files of somebody else. */
export async function deleteStack(dataDir: string): Promise<void> {
  const files = paths(dataDir)
  // Files of a database that still runs must not vanish under it; refuses when it belongs to a living process.
  await stopLeftBehind({ dataDir: files.postgres, chainFolder: files.chain })
  for (const name of readdirSync(dataDir))
    if (ourFiles.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** The owner of the tables must not be a superuser: a superuser passes every row-level policy. */
async function ensureOwner(superuserUrl: string, passwordFile: string, random: Random): Promise<string> {
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, random(24).toString('hex'), { mode: 0o600 })
  const password = readFileSync(passwordFile, 'utf8')
  const sql = postgres(superuserUrl, { max: 1, onnotice: () => {} })
  try {
    const [role] = await sql`select 1 from pg_roles where rolname = 'tally'`
    await sql.unsafe(`${role ? 'alter' : 'create'} role tally login createrole password '${password}'`)
    const [database] = await sql`select 1 from pg_database where datname = 'tally'`
    if (!database) await sql.unsafe('create database tally owner tally')
  } finally {
    await sql.end({ timeout: 5 })
  }
  const url = new URL(superuserUrl)
  url.username = 'tally'
  url.password = password
  url.pathname = '/tally'
  return url.toString()
}

async function endOf(part: string, process: { readonly exited: Promise<void> }): Promise<string> {
  await process.exited
  return part
}

/** A real PostgreSQL and a real EVM node on this machine, with their files under the data folder. A new chain may begin in the past. */
export async function startEmbeddedStack(
  config: Config,
  tools: { clock: Clock; random: Random; onStarted?: (part: 'database' | 'chain', where: string) => void },
  chainBeginsAt?: Date,
): Promise<EmbeddedStack> {
  const files = paths(config.DATA_DIR)
  // Beside somebody else's files no chain is left either.
  requireUsableData(files.postgres)
  const wantsPort = config.CHAIN_PORT !== 0 && (await isPortFree(config.CHAIN_PORT))
  const chainPort = wantsPort ? { port: config.CHAIN_PORT } : {}
  const [database, chain] = await startBoth(
    startPostgres({ dataDir: files.postgres, durable: true, logFile: join(config.DATA_DIR, 'postgres.log') }).then(
      (running) => {
        tools.onStarted?.('database', files.postgres)
        return running
      },
    ),
    startChain({
      folder: files.chain,
      ...(config.CHAIN_NODE ? { engine: config.CHAIN_NODE } : {}),
      ...chainPort,
      chainId: EMBEDDED_CHAIN_ID,
      blockTimeSeconds: BLOCK_TIME_SECONDS,
      now: () => tools.clock.now(),
      ...(chainBeginsAt ? { beginsAt: chainBeginsAt } : {}),
      logFile: join(config.DATA_DIR, 'chain.log'),
    }).then((running) => {
      tools.onStarted?.('chain', running.url)
      return running
    }),
  )
  const stopBoth = async () => {
    await Promise.all([database.stop(), chain.stop()])
  }
  const databaseUrl = await ensureOwner(database.url, files.password, tools.random).catch(async (error: unknown) => {
    await stopBoth()
    throw error
  })
  announceStack(config.DATA_DIR, { pid: process.pid, databasePid: database.pid, databaseUrl, rpcUrl: chain.url })
  let stopping = false
  return {
    endpoints: { databaseUrl, chains: [{ chainId: EMBEDDED_CHAIN_ID, urls: [chain.url] }] },
    rpcUrl: chain.url,
    broken: new Promise((resolve) => {
      for (const [part, running] of [
        ['PostgreSQL', database],
        ['The chain node', chain],
      ] as const)
        void endOf(part, running).then((name) => stopping || resolve(name))
    }),
    async stop() {
      stopping = true
      withdrawStack(config.DATA_DIR)
      await stopBoth()
    },
  }
}

/** When one part cannot start, the other must not be left behind. */
async function startBoth(
  database: Promise<RunningPostgres>,
  chain: Promise<ChainNode>,
): Promise<[RunningPostgres, ChainNode]> {
  const [first, second] = await Promise.allSettled([database, chain])
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value]
  if (first.status === 'fulfilled') await first.value.stop()
  if (second.status === 'fulfilled') await second.value.stop()
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason
}
