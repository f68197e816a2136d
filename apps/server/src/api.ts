import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { connectChains } from './platform/chain/chains.ts'
import { systemClock } from './platform/clock.ts'
import type { ChainEndpoints, Config } from './platform/config.ts'
import { createDatabase } from './platform/db/database.ts'
import type { Log } from './platform/log.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { systemRandom } from './platform/random.ts'

export interface Endpoints {
  readonly databaseUrl: string
  readonly chains: readonly ChainEndpoints[]
}

export interface RunningApi {
  readonly app: FastifyInstance
  readonly url: string
  stop(): Promise<void>
}

/** Serves HTTP until stopped. Stopping lets running requests finish, up to the grace period. */
export async function startApi(
  config: Config,
  endpoints: Endpoints,
  log: Log,
  metrics: Metrics = createMetrics(),
): Promise<RunningApi> {
  const chains = await connectChains(endpoints.chains, { timeoutMs: config.RPC_TIMEOUT_MS, clock: systemClock })
  const database = createDatabase({
    url: endpoints.databaseUrl,
    poolSize: config.DATABASE_POOL,
    applicationName: 'tally-api',
  })
  const app = createApp({ log, clock: systemClock, random: systemRandom, database, chains, metrics })
  await app.listen({ host: config.HOST, port: config.PORT })
  const [address] = app.addresses()
  return {
    app,
    url: `http://${config.HOST}:${typeof address === 'object' ? address.port : config.PORT}`,
    async stop() {
      const grace = new Promise<void>((resolve) => setTimeout(resolve, config.SHUTDOWN_GRACE_MS).unref())
      await Promise.race([app.close(), grace])
      await Promise.all([chains.close(), database.close()])
    },
  }
}
