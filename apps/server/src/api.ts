import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { createIdentityProvider, type IdentityProvider } from './access/index.ts'
import { createApp } from './app.ts'
import { connect, type Endpoints } from './connections.ts'
import { createConsoleSite } from './console-site/index.ts'
import type { DevelopmentRoles } from './development/index.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Config, ConfigError } from './platform/config.ts'
import {
  admissionOf,
  doorSettingsOf,
  identityProviderSettingsOf,
  relayerKeysOf,
  tradingSettingsOf,
} from './platform/config-parts.ts'
import { createMemoryLimits, createSharedLimits } from './platform/http/limit-store.ts'
import type { Readiness } from './platform/http/readiness.ts'
import type { Log } from './platform/log.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { createOutgoingTargets } from './platform/outgoing/outgoing-targets.ts'
import { systemRandom } from './platform/random.ts'
import { connectionsReadiness } from './readiness.ts'

/** Where the packages put it when they are installed. */
const CONSOLE = fileURLToPath(new URL('../../console/dist', import.meta.url))

export interface RunningApi {
  readonly app: FastifyInstance
  readonly url: string
  readonly readiness: readonly Readiness[]
  stop(): Promise<void>
}

async function listen(app: FastifyInstance, { HOST, PORT }: Config): Promise<string> {
  try {
    await app.listen({ host: HOST, port: PORT })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw error
    throw new ConfigError(`HOST=${HOST} with PORT=${PORT} cannot be listened on (${code}).`, { cause: error })
  }
  const [address] = app.addresses()
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${typeof address === 'object' ? address.port : PORT}`
}

/** Read once: a secret that is not there stops the start. */
function identityProviderOf(config: Config): { name: string; identityProvider: IdentityProvider } | undefined {
  const settings = identityProviderSettingsOf(config)
  if (!settings) return undefined
  const { secretFile, name, ...rest } = settings
  try {
    const clientSecret = secretFile === undefined ? undefined : readFileSync(secretFile, 'utf8').trim()
    return { name, identityProvider: createIdentityProvider({ ...rest, clientSecret }) }
  } catch (error) {
    throw new ConfigError(`OIDC_CLIENT_SECRET_FILE=${secretFile} cannot be read.`, { cause: error })
  }
}

/** Serves HTTP until stopped. Stopping says so first, then serves what still comes, then lets running requests finish, up to the grace period. */
export async function startApi(
  config: Config,
  endpoints: Endpoints,
  log: Log,
  metrics: Metrics = createMetrics(),
  development?: DevelopmentRoles,
  tradingClock: Clock = systemClock,
): Promise<RunningApi> {
  // Before anything is open that a start which cannot work would leave behind.
  const provider = identityProviderOf(config)
  const connections = await connect(config, endpoints, {
    poolSize: config.DATABASE_POOL,
    applicationName: 'tally-api',
    serves: 'requests',
    ...(endpoints.readUrl === undefined ? {} : { readUrl: endpoints.readUrl }),
  })
  const webhooks = createOutgoingTargets({ allowedHosts: config.WEBHOOK_ALLOWED_HOSTS })
  const relayerKeys = relayerKeysOf(config)
  const limits =
    config.LIMIT_STORE_URL === undefined
      ? createMemoryLimits()
      : createSharedLimits({
          url: config.LIMIT_STORE_URL,
          log,
          onState: (isUp) => metrics.limitStoreUp.set(isUp ? 1 : 0),
        })
  let stopping = false
  const process: Readiness = { part: 'process', check: async () => (stopping ? 'is stopping' : undefined) }
  const close = async () => {
    await limits.close()
    await connections.close()
  }
  const app = createApp({
    log,
    clock: systemClock,
    random: systemRandom,
    ...connections,
    metrics,
    webhooks,
    relayerKeys,
    admissionBounds: admissionOf(config),
    streamSettings: { perKey: config.STREAMS_PER_KEY },
    limits,
    ...doorSettingsOf(config),
    trading: { ...tradingSettingsOf(config), clock: tradingClock },
    identityProvider: provider?.identityProvider,
    consoleSite: createConsoleSite(CONSOLE, { identityProvider: provider ? { name: provider.name } : null }),
    development,
    extraReadiness: [process],
  })
  app.addHook('onSend', async (_request, reply) => {
    // A connection kept alive for a next request would hold the shutdown up.
    if (stopping) reply.header('connection', 'close')
  })
  const url = await listen(app, config).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    app,
    url,
    readiness: [...connectionsReadiness(connections, metrics), process],
    async stop() {
      stopping = true
      // Whoever shares requests out among processes has to see it first: until then they still come, and are served.
      await sleep(config.SHUTDOWN_DELAY_MS)
      const grace = new Promise<void>((resolve) => setTimeout(resolve, config.SHUTDOWN_GRACE_MS).unref())
      await Promise.race([app.close(), grace])
      await close()
    },
  }
}
