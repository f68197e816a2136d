import { type Chains, connectChains } from './platform/chain/chains.ts'
import { systemClock } from './platform/clock.ts'
import type { ChainEndpoints, Config } from './platform/config.ts'
import { patienceOf } from './platform/config-parts.ts'
import { createDatabase, type Database, type DatabaseOptions } from './platform/db/database.ts'

export interface Endpoints {
  readonly databaseUrl: string
  /** Set: `databaseUrl` is a pooler in transaction mode. */
  readonly directUrl?: string
  /** Standbys of it, for an API to read from. */
  readonly readUrl?: string
  readonly chains: readonly ChainEndpoints[]
}

export interface Connections {
  readonly chains: Chains
  readonly database: Database
  close(): Promise<void>
}

/** Chains and database of a process. Both must answer now: a wrong URL is told at the start, not request by request. */
export async function connect(
  config: Config,
  endpoints: Endpoints,
  pool: Pick<DatabaseOptions, 'poolSize' | 'applicationName' | 'serves' | 'readUrl'>,
): Promise<Connections> {
  const chains = await connectChains(endpoints.chains, { timeoutMs: config.RPC_TIMEOUT_MS, clock: systemClock })
  const database = createDatabase({
    url: endpoints.databaseUrl,
    ...(endpoints.directUrl === undefined ? {} : { directUrl: endpoints.directUrl }),
    patience: patienceOf(config),
    ...pool,
  })
  const close = async () => {
    await Promise.all([chains.close(), database.close()])
  }
  try {
    await database.owner`select 1`
  } catch (error) {
    await close()
    throw error
  }
  return { chains, database, close }
}
