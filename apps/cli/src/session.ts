import { resolve } from 'node:path'
import {
  type Chains,
  type Config,
  connectChains,
  createDatabase,
  type Database,
  migrate,
  requireSchema,
  systemClock,
  systemRandom,
} from '@tallystick/server/platform'
import { EMBEDDED_CHAIN_ID, type Endpoints, runningStack, startEmbeddedStack } from '@tallystick/server/stack'

/** What a command works on: a deployment by its URLs, or the embedded stack, started for the moment when it does not run. */
export interface Session {
  readonly config: Config
  readonly database: Database
  readonly databaseUrl: string
  readonly embedded: boolean
  /** Before rows are touched. Whoever only reads brings no database up to date: the processes that serve it may be of an older release. */
  prepare(use: 'to read' | 'to change'): Promise<void>
  chains(): Promise<Chains>
}

async function findEndpoints(
  config: Config,
): Promise<{ endpoints: Endpoints; embedded: boolean; stop(): Promise<void> }> {
  const nothing = async () => {}
  if (config.external) {
    const { databaseUrl, directUrl = databaseUrl, chains } = config.external
    return { endpoints: { databaseUrl: directUrl, chains }, embedded: false, stop: nothing }
  }
  const running = runningStack(config.DATA_DIR)
  if (running) {
    const endpoints = {
      databaseUrl: running.databaseUrl,
      chains: [{ chainId: EMBEDDED_CHAIN_ID, urls: [running.rpcUrl] }],
    }
    return { endpoints, embedded: true, stop: nothing }
  }
  const starting = startEmbeddedStack(config, { clock: systemClock, random: systemRandom })
  // Started for this command only, so it must not outlive it, however the command ends.
  const interrupted = () => void starting.then((stack) => stack.stop()).finally(() => process.exit(130))
  const listenForSignals = (listen: 'once' | 'off') => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process[listen](signal, interrupted)
  }
  listenForSignals('once')
  const stop = async () => {
    listenForSignals('off')
    await (await starting).stop()
  }
  const { endpoints } = await starting
  return { endpoints, embedded: true, stop }
}

export async function withSession<T>(given: Config, work: (session: Session) => Promise<T>): Promise<T> {
  const config = { ...given, DATA_DIR: resolve(given.DATA_DIR) }
  const { endpoints, embedded, stop } = await findEndpoints(config)
  const database = createDatabase({
    url: endpoints.databaseUrl,
    poolSize: 2,
    applicationName: 'tally-cli',
    serves: 'jobs',
  })
  let connected: Chains | undefined
  try {
    return await work({
      config,
      database,
      databaseUrl: endpoints.databaseUrl,
      embedded,
      prepare: async (use) => {
        if (use === 'to read' && !embedded) await requireSchema(endpoints.databaseUrl)
        else await migrate(endpoints.databaseUrl)
      },
      chains: async () => {
        connected ??= await connectChains(endpoints.chains, { timeoutMs: config.RPC_TIMEOUT_MS, clock: systemClock })
        return connected
      },
    })
  } finally {
    await connected?.close()
    await database.close()
    await stop()
  }
}
