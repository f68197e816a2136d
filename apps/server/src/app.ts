import type { FastifyInstance } from 'fastify'
import { accessRoutes, createAccessService, createKeyCheck, type IdentityProvider } from './access/index.ts'
import { callsIn, mountDescriptors } from './clear-signing/index.ts'
import type { ConsoleSite } from './console-site/index.ts'
import { type DevelopmentRoles, developmentRoutes } from './development/index.ts'
import { mountDocs } from './docs-site/index.ts'
import { callKinds, projections } from './features.ts'
import { identityRoutes } from './identity/index.ts'
import { inboxRoutes } from './inbox/index.ts'
import { lendingRoutes } from './lending/index.ts'
import type { Chains } from './platform/chain/chains.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/db/database.ts'
import { type Readiness, readinessLook } from './platform/http/readiness.ts'
import type { Route } from './platform/http/route.ts'
import { createHttpServer, type HttpParts, type NotedBuild } from './platform/http/server.ts'
import { mountStatusRoutes } from './platform/http/status-routes.ts'
import type { Log } from './platform/log.ts'
import { createMetrics, type Metrics, measureRequests } from './platform/metrics.ts'
import { createOutgoingTargets, type OutgoingTargets } from './platform/outgoing/outgoing-targets.ts'
import type { Random } from './platform/random.ts'
import { traceRequests } from './platform/trace.ts'
import { connectionsReadiness } from './readiness.ts'
import { createRegisterService, registerRoutes } from './register/index.ts'
import { createRelayerService, type RelayerKeys, relayerRoutes } from './relayer/index.ts'
import { stocksRoutes } from './stocks/index.ts'
import { createTokensService, tokensRoutes } from './tokens/index.ts'
import { createTrading, type TradingSettings, tradingRoutes } from './trading/index.ts'
import { VERSION } from './version.ts'
import { createWritesService } from './writes/index.ts'

export { VERSION }

export interface AppParts {
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly database: Database
  readonly chains: Chains
  readonly metrics?: Metrics
  /** Default: public addresses only. */
  readonly webhooks?: OutgoingTargets
  /** How relayers sign; default: nobody does. */
  readonly relayerKeys?: RelayerKeys
  /** How the order books work, where it is not as usual. */
  readonly trading?: TradingSettings
  readonly onFailure?: HttpParts['onFailure']
  readonly streamSettings?: HttpParts['streamSettings']
  readonly admissionBounds?: HttpParts['admissionBounds']
  readonly limits?: HttpParts['limits']
  readonly authFailuresPerMinute?: number
  readonly clients?: HttpParts['clients']
  readonly peerSecret?: HttpParts['peerSecret']
  /** Where people can sign in beside wallets and keys; default: nowhere. */
  readonly identityProvider?: IdentityProvider | undefined
  /** What `/` shows; default: the way to the documentation. */
  readonly consoleSite?: ConsoleSite | undefined
  /** The roles of the embedded demo, which nobody else has. */
  readonly development?: DevelopmentRoles | undefined
  /** Beside database and chains. */
  readonly extraReadiness?: readonly Readiness[]
  /** Further routes; tests mount theirs through the same door. */
  readonly extraRoutes?: readonly Route[]
}

/** What an answer does not list as calls is found in it: nothing to sign gets past whoever has to approve it. */
function callsToSign({ calls, data, caller }: NotedBuild): NotedBuild['calls'] {
  if (calls.length > 0) return calls
  const { chainId: ofInstance } = caller.instance
  return callsIn(data).map(({ to, data: callData, value, chainId }) => ({
    to,
    data: callData,
    value: value ?? '0',
    chainId: chainId ?? ofInstance,
  }))
}

/** Wires the features together. The mains and the tests build the very same app. */
export function createApp(parts: AppParts): FastifyInstance {
  const metrics = parts.metrics ?? createMetrics()
  const look = readinessLook([...connectionsReadiness(parts, metrics), ...(parts.extraReadiness ?? [])])
  const keys = createKeyCheck(parts.database, parts.clock)
  const access = createAccessService({ ...parts, keys, version: VERSION, look })
  const writes = createWritesService({ ...parts, kinds: callKinds, projections })
  const relayer = createRelayerService({ ...parts, keys: parts.relayerKeys ?? {}, admit: access.built.admitToRelay })
  const trading = createTrading({ ...parts, ...parts.trading, writes })
  const lending = { ...parts, writes, webhooks: parts.webhooks ?? createOutgoingTargets() }
  const routes = [
    ...accessRoutes(access),
    ...(parts.development ? developmentRoutes(access.sessions, parts.development) : []),
    ...tokensRoutes(createTokensService(parts)),
    ...inboxRoutes({ ...lending, trading }),
    ...lendingRoutes(lending),
    ...relayerRoutes(relayer),
    ...stocksRoutes({ ...parts, writes, relayer }),
    ...tradingRoutes(trading),
    ...identityRoutes({ ...parts, writes }),
    ...registerRoutes(createRegisterService(parts)),
    ...(parts.extraRoutes ?? []),
  ]
  const onFailure: HttpParts['onFailure'] = (failure) => {
    metrics.failures.inc(failure)
    parts.onFailure?.(failure)
  }
  const onBuilt: HttpParts['onBuilt'] = (tenant, built) =>
    access.built.note(tenant, { ...built, calls: callsToSign(built) })
  const onStreams = (open: number) => metrics.streams.set(open)
  const app = createHttpServer({ ...parts, onBuilt, page: parts.consoleSite?.page, keys, onFailure, onStreams }, routes)
  // Others would take the ledgers once their leases are over, and write the rows that still have to follow the journal: later.
  app.addHook('onClose', async () => {
    const orWarn = (text: string) => (error: unknown) => parts.log.warn({ err: error }, text)
    await trading.units.leaveLanes().catch(orWarn('ledgers keep their leases'))
    await trading.units.drain().catch(orWarn('rows are left to be written'))
  })
  access.requests.watch(app)
  measureRequests(app, metrics)
  traceRequests(app)
  app.register(async (scope) => {
    mountDocs(scope, VERSION)
    if (parts.consoleSite) parts.consoleSite.mount(scope)
    else scope.get('/', async (_request, reply) => reply.redirect('/docs'))
    mountDescriptors(scope, parts)
    mountStatusRoutes(scope, { version: VERSION, look })
  })
  return app
}
