import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Endpoints } from '../api.ts'
import { chainStateFile, EMBEDDED_CHAIN_ID, runningStack, startEmbeddedStack } from '../embedded-stack.ts'
import { type Chains, connectChains } from '../platform/chain/chains.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { createDatabase, type Database } from '../platform/db/database.ts'
import { systemRandom } from '../platform/random.ts'

/** What a command works on: a deployment by its URLs, or the embedded stack, started for the moment when it does not run. */
export interface Session {
  readonly config: Config
  readonly database: Database
  readonly databaseUrl: string
  readonly embedded: boolean
  chains(): Promise<Chains>
}

async function findEndpoints(
  config: Config,
): Promise<{ endpoints: Endpoints; embedded: boolean; stop(): Promise<void> }> {
  const nothing = async () => {}
  if (config.external) return { endpoints: config.external, embedded: false, stop: nothing }
  const running = runningStack(config.DATA_DIR)
  if (running) {
    const endpoints = {
      databaseUrl: running.databaseUrl,
      chains: [{ chainId: EMBEDDED_CHAIN_ID, urls: [running.rpcUrl] }],
    }
    return { endpoints, embedded: true, stop: nothing }
  }
  const stack = await startEmbeddedStack(config, { clock: systemClock, random: systemRandom })
  return { endpoints: stack.endpoints, embedded: true, stop: () => stack.stop() }
}

export async function withSession<T>(given: Config, work: (session: Session) => Promise<T>): Promise<T> {
  const config = { ...given, DATA_DIR: resolve(given.DATA_DIR) }
  const { endpoints, embedded, stop } = await findEndpoints(config)
  const database = createDatabase({ url: endpoints.databaseUrl, poolSize: 2, applicationName: 'tally-cli' })
  let connected: Chains | undefined
  try {
    return await work({
      config,
      database,
      databaseUrl: endpoints.databaseUrl,
      embedded,
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

/** Puts a chain's state where the embedded node looks for it. Only while nothing runs. */
export function placeChainState(config: Config, state: string): void {
  const file = chainStateFile(resolve(config.DATA_DIR))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.restored`, state)
  renameSync(`${file}.restored`, file)
}
