import { randomBytes } from 'node:crypto'
import { connectChain, connectTestCluster } from '@tallystick/testkit'
import { type Operation, operations, type Scope, type Service, services } from '@tallystick/wire'
import type { FastifyInstance } from 'fastify'
import { inject } from 'vitest'
import { createOperatorService, type OperatorService } from '../src/access/index.ts'
import { createApp } from '../src/app.ts'
import type { WebhookTargets } from '../src/lending/index.ts'
import { type Chains, connectChains } from '../src/platform/chain/chains.ts'
import type { Clock } from '../src/platform/clock.ts'
import { createDatabase, type Database } from '../src/platform/db/database.ts'
import type { Route } from '../src/platform/http/mount.ts'
import { openApiDocument } from '../src/platform/http/openapi.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import type { RelayerKeys } from '../src/relayer/index.ts'
import { noteProvoked } from './code-coverage.ts'
import { assertDocumented } from './conformance.ts'
import { TEMPLATE } from './global-setup.ts'

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
  readonly webhooks?: WebhookTargets
  readonly relayerKeys?: RelayerKeys
  readonly poolSize?: number
}

export interface World {
  readonly app: FastifyInstance
  readonly clock: TestClock
  readonly database: Database
  readonly databaseUrl: string
  readonly chains: Chains
  readonly chain: ReturnType<typeof connectChain>
  readonly operator: OperatorService
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>
  createInstance(wish?: { services?: Service[]; name?: string }): Promise<TestInstance>
  createKey(instance: TestInstance, scopes: Scope[], rateLimitPerMinute?: number): Promise<string>
  close(): Promise<void>
}

let wholeDocument: ReturnType<typeof openApiDocument> | undefined

/** Describing every operation takes longer than most tests. */
function documentOf(listed: readonly Operation[]): ReturnType<typeof openApiDocument> {
  if (listed.length > operations.length) return openApiDocument('test', listed)
  wholeDocument ??= openApiDocument('test', listed)
  return wholeDocument
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
    connectTimeoutSeconds: 2,
  })
  const chains = await connectChains([{ chainId: undefined, urls: rpcUrls }], {
    timeoutMs: options.rpcTimeoutMs ?? 5_000,
    clock,
  })
  // What the operator of a deployment records once. A world with a chain of its own records what it deploys there.
  if (!options.rpcUrls && !options.databaseUrl) await recordFactory(database, inject('lendingFactory'))
  const extraRoutes = options.extraRoutes?.({ chains, database, clock }) ?? []
  const app = createApp({
    log: createLog({ level: 'silent' }),
    clock,
    random: systemRandom,
    database,
    chains,
    onFailure: (failure) => {
      // The catalogue lists the product's own operations only.
      if (operations.some(({ id }) => id === failure.operation)) noteProvoked(failure)
    },
    extraRoutes,
    ...(options.webhooks ? { webhooks: options.webhooks } : {}),
    ...(options.relayerKeys ? { relayerKeys: options.relayerKeys } : {}),
  })
  await app.ready()
  const listed = [...operations, ...extraRoutes.map(({ operation }) => operation)]
  const document = documentOf(listed)
  const operator = createOperatorService(database, { clock, random: systemRandom })

  // A path without parameters comes first: it may have the form of another one.
  const templates = listed
    .flatMap((one) =>
      [one.path, ...(one.alsoAt ?? [])].map((template) => ({ id: one.id, method: one.method, template })),
    )
    .toSorted((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')))
    .map((one) => ({ ...one, form: new RegExp(`^${one.template.replace(/\{\w+\}/g, '[^/]*')}$`) }))

  function operationOf(method: string, path: string): string | undefined {
    const [plain = ''] = path.split('?')
    return templates.find((one) => one.method === method && one.form.test(plain))?.id
  }

  async function call(method: string, path: string, given: CallOptions = {}): Promise<TestAnswer> {
    const headers: Record<string, string> = { ...(given.key ? { 'x-api-key': given.key } : {}), ...given.headers }
    const payload = given.raw?.text ?? (given.body === undefined ? undefined : JSON.stringify(given.body))
    if (given.raw) headers['content-type'] = given.raw.type
    else if (payload !== undefined) headers['content-type'] = 'application/json'
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const body: unknown = isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined
    const operation = operationOf(method, path)
    if (operation && isJson) assertDocumented(document, operation, response.statusCode, body)
    return { status: response.statusCode, headers: response.headers, text: response.payload, body }
  }

  return {
    app,
    clock,
    database,
    databaseUrl,
    chains,
    chain: connectChain(rpcUrls[0] ?? '', chains.all[0]?.chainId),
    operator,
    call,
    async createInstance(wish = {}) {
      const created = await operator.createInstance({
        name: wish.name ?? `test ${randomBytes(3).toString('hex')}`,
        chainId: chains.all[0]?.chainId ?? 31_337,
        environment: 'DEVELOPMENT',
        services: wish.services ?? [...services],
      })
      return { ...created, call: (method, path, given = {}) => call(method, path, { ...given, key: created.apiKey }) }
    },
    async createKey(instance, scopes, rateLimitPerMinute) {
      const wish = { name: 'test', scopes, ...(rateLimitPerMinute === undefined ? {} : { rateLimitPerMinute }) }
      return (await operator.createKey(instance.instanceId, wish)).apiKey
    },
    async close() {
      await app.close()
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
