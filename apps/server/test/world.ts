import { randomBytes } from 'node:crypto'
import { connectChain, connectTestCluster } from '@tallystick/testkit'
import { operations, type Scope, type Service, services } from '@tallystick/wire'
import type { FastifyInstance } from 'fastify'
import { inject } from 'vitest'
import type { IdentityProvider } from '../src/access/index.ts'
import { createOperatorService, type OperatorService } from '../src/access/index.ts'
import { createApp, VERSION } from '../src/app.ts'
import type { ConsoleSite } from '../src/console-site/index.ts'
import type { DevelopmentRoles } from '../src/development/index.ts'
import type { AdmissionBounds, PatienceSettings } from '../src/platform/bounds.ts'
import { type Chains, connectChains } from '../src/platform/chain/chains.ts'
import type { Clock } from '../src/platform/clock.ts'
import { createDatabase, type Database } from '../src/platform/db/database.ts'
import type { LimitStore } from '../src/platform/http/limit-store.ts'
import { createOpsServer } from '../src/platform/http/ops-server.ts'
import type { Route } from '../src/platform/http/route.ts'
import type { ClientLimits } from '../src/platform/http/server.ts'
import type { StreamSettings } from '../src/platform/http/streams.ts'
import { createLog } from '../src/platform/log.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import type { OutgoingTargets } from '../src/platform/outgoing/outgoing-targets.ts'
import { systemRandom } from '../src/platform/random.ts'
import { watchTransactions } from '../src/platform/transaction-scope.ts'
import { connectionsReadiness } from '../src/readiness.ts'
import type { RelayerKeys } from '../src/relayer/index.ts'
import type { TradingSettings } from '../src/trading/index.ts'
import { createAnswerCheck } from './answer-check.ts'
import { BUSY_MACHINE } from './busy-machine.ts'
import { noteProvoked } from './code-coverage.ts'
import { TEMPLATE } from './global-setup.ts'

watchTransactions()

const OWN_OPERATIONS = new Set(operations.map(({ id }) => id))

/** A clock that tests can move. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

export function createTestClock(): TestClock {
  let shift = 0
  return {
    now: () => new Date(Date.now() + shift),
    advance: (milliseconds) => {
      shift += milliseconds
    },
  }
}

export interface CallOptions {
  readonly key?: string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Sends this text as it is, with this content type. */
  readonly raw?: { readonly text: string; readonly type: string }
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; their form is checked against the document
  readonly body: any
}

export interface TestInstance {
  readonly instanceId: string
  readonly apiKey: string
  call(method: string, path: string, options?: Omit<CallOptions, 'key'>): Promise<TestAnswer>
}

export interface WorldOptions {
  /** Default: the chain that all test files share. Reorganizations and time travel need one of their own. */
  readonly rpcUrls?: readonly string[]
  /** Stands between the app and its database, for faults. */
  readonly databaseUrl?: (url: string) => Promise<string>
  readonly extraRoutes?: (parts: { chains: Chains; database: Database; clock: TestClock }) => readonly Route[]
  readonly rpcTimeoutMs?: number
  readonly webhooks?: OutgoingTargets
  readonly relayerKeys?: RelayerKeys
  readonly poolSize?: number
  readonly patience?: PatienceSettings
  readonly admission?: AdmissionBounds
  readonly trading?: TradingSettings
  readonly streamSettings?: StreamSettings
  readonly limits?: LimitStore
  /** Default: any number. Tests of the door come with hundreds of wrong keys. */
  readonly authFailuresPerMinute?: number
  readonly clients?: ClientLimits
  readonly consoleSite?: ConsoleSite | undefined
  readonly development?: DevelopmentRoles
  readonly identityProvider?: IdentityProvider
}

export interface World {
  readonly app: FastifyInstance
  /** What the operator's port serves. */
  readonly ops: FastifyInstance
  readonly clock: TestClock
  readonly database: Database
  readonly databaseUrl: string
  readonly chains: Chains
  readonly chain: ReturnType<typeof connectChain>
  readonly operator: OperatorService
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>
  createInstance(request?: { services?: Service[]; name?: string }): Promise<TestInstance>
  createKey(instance: TestInstance, scopes: Scope[], rateLimitPerMinute?: number): Promise<string>
  close(): Promise<void>
}

/** The product on a fresh database: the same app that production builds, called in-process. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const cluster = await connectTestCluster(inject('clusterUrl'))
  const { url: databaseUrl, drop } = await cluster.cloneDatabase(TEMPLATE)
  const rpcUrls = options.rpcUrls ?? [inject('rpcUrl')]
  const clock = createTestClock()
  const database = createDatabase({
    url: options.databaseUrl ? await options.databaseUrl(databaseUrl) : databaseUrl,
    poolSize: options.poolSize ?? 8,
    applicationName: 'tally-test',
    // A test with a fault between the two says how soon it shows; all others wait for a machine that is busy.
    connectTimeoutSeconds: options.databaseUrl ? 2 : BUSY_MACHINE.database.connectTimeoutSeconds,
    patience: options.patience ?? BUSY_MACHINE.database.patience,
  })
  const chains = await connectChains([{ chainId: undefined, urls: rpcUrls }], {
    timeoutMs: options.rpcTimeoutMs ?? BUSY_MACHINE.rpcTimeoutMs,
    clock,
  })
  // What the operator of a deployment records once. A world with a chain of its own records what it deploys there.
  if (!options.rpcUrls && !options.databaseUrl) await recordFactory(database, inject('lendingFactory'))
  const extraRoutes = options.extraRoutes?.({ chains, database, clock }) ?? []
  const metrics = createMetrics()
  let served: FastifyInstance | undefined
  /** Made when somebody calls it: its routes take longer than many a test of services, which calls none. */
  const app = (): FastifyInstance => {
    served ??= createApp({
      log: createLog({ level: 'silent' }),
      clock,
      random: systemRandom,
      database,
      chains,
      onFailure: (failure) => {
        // The catalogue lists the product's own operations only.
        if (OWN_OPERATIONS.has(failure.operation)) noteProvoked(failure)
      },
      metrics,
      extraRoutes,
      ...(options.webhooks ? { webhooks: options.webhooks } : {}),
      ...(options.relayerKeys ? { relayerKeys: options.relayerKeys } : {}),
      trading: { ...(options.patience ? {} : BUSY_MACHINE.trading), ...options.trading },
      ...(options.admission ? { admissionBounds: options.admission } : {}),
      ...(options.limits ? { limits: options.limits } : {}),
      ...(options.authFailuresPerMinute ? { authFailuresPerMinute: options.authFailuresPerMinute } : {}),
      ...(options.clients ? { clients: options.clients } : {}),
      consoleSite: options.consoleSite,
      development: options.development,
      identityProvider: options.identityProvider,
      ...(options.streamSettings ? { streamSettings: options.streamSettings } : {}),
    })
    return served
  }
  const ops = createOpsServer({
    version: VERSION,
    metrics,
    readiness: connectionsReadiness({ database, chains }, metrics),
  })
  const listed = [...operations, ...extraRoutes.map(({ operation }) => operation)]
  const check = createAnswerCheck(listed)
  const operator = createOperatorService(database, { clock, random: systemRandom })

  async function call(method: string, path: string, given: CallOptions = {}): Promise<TestAnswer> {
    const headers: Record<string, string> = { ...(given.key ? { 'x-api-key': given.key } : {}), ...given.headers }
    const payload = given.raw?.text ?? (given.body === undefined ? undefined : JSON.stringify(given.body))
    if (given.raw) headers['content-type'] = given.raw.type
    else if (payload !== undefined) headers['content-type'] = 'application/json'
    const response = await app().inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    const type = String(response.headers['content-type'])
    const isJson = type.startsWith('application/json')
    const body: unknown = isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined
    check({ method, path, body: given.body }, { status: response.statusCode, type, body })
    return { status: response.statusCode, headers: response.headers, text: response.payload, body }
  }

  return {
    get app() {
      return app()
    },
    ops,
    clock,
    database,
    databaseUrl,
    chains,
    chain: connectChain(rpcUrls[0] ?? '', chains.all[0]?.chainId),
    operator,
    call,
    async createInstance(request = {}) {
      const created = await operator.createInstance({
        name: request.name ?? `test ${randomBytes(3).toString('hex')}`,
        chainId: chains.all[0]?.chainId ?? 31_337,
        environment: 'DEVELOPMENT',
        services: request.services ?? [...services],
      })
      return { ...created, call: (method, path, given = {}) => call(method, path, { ...given, key: created.apiKey }) }
    },
    async createKey(instance, scopes, rateLimitPerMinute) {
      const request = { name: 'test', scopes, ...(rateLimitPerMinute === undefined ? {} : { rateLimitPerMinute }) }
      return (await operator.createKey(instance.instanceId, request)).apiKey
    },
    async close() {
      await served?.close()
      await Promise.all([database.close(), chains.close()])
      await drop()
    },
  }
}

async function recordFactory(database: Database, address: string): Promise<void> {
  await database.as('tally_operator', async (sql) => {
    await sql`insert into deployed_contracts (chain_id, name, address, recorded_at) values (31337, 'LendingFactory', ${address}, now())`
    // Nothing stands there: for what is refused before the chain is asked.
    await sql`insert into deployed_contracts (chain_id, name, address, recorded_at) values (31337, 'StockFactory', ${`0x${'5'.repeat(40)}`}, now())`
  })
}
