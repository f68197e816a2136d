import websocket from '@fastify/websocket'
import type { Leg, Operation } from '@tallystick/wire'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { type AdmissionBounds, DEFAULT_ADMISSION } from '../bounds.ts'
import type { Clock } from '../clock.ts'
import type { Database, TenantDatabase } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Random } from '../random.ts'
import { createAdmission } from './admission.ts'
import { attributionOf, type Caller, type KeyCheck } from './caller.ts'
import { createClientErrorHandler } from './client-error.ts'
import type { SessionOrigin } from './console-origin.ts'
import { parseBody } from './json-body.ts'
import { createMemoryLimits, type LimitStore } from './limit-store.ts'
import { createMethodsOf, letOriginsIn, speakCompressed } from './manners.ts'
import { mount } from './mount.ts'
import { createDesk } from './peer-desk.ts'
import { createPeers } from './peers.ts'
import type { Route } from './route.ts'
import type { BuiltTransaction } from './safe-file.ts'
import { createStreamHub, type StreamSettings } from './streams.ts'
import { websocketUpgrades } from './upgrades.ts'

/** What a client may take of the server before it has shown who it is. */
export interface ClientLimits {
  /** A whole request has come by then, or its connection is cut. */
  readonly requestTimeoutMs?: number
  readonly headersTimeoutMs?: number
  readonly connections?: number
  /** Addresses of proxies whose word about the address of a client is believed. */
  readonly trustedProxies?: string
  /** Whose pages may call from a browser. */
  readonly origins?: readonly string[]
  /** Where sessions work; default: on this machine. */
  readonly consoleOrigin?: SessionOrigin
}

/** A call to sign; `to` is null where it creates a contract. */
export type CallToKeep = Omit<BuiltTransaction, 'to'> & { readonly to: string | null }

/** What somebody asked to be built in a session. */
export interface NotedBuild {
  readonly caller: Caller
  readonly operation: Operation
  /** With its query. */
  readonly path: string
  readonly body: unknown
  readonly calls: readonly CallToKeep[]
  /** What would be answered. */
  readonly data: unknown
}

/** Where it is found, and, where a second person has to approve it first, what is answered instead. */
export interface KeptBuild {
  readonly transactionId: string
  readonly withheld?: object
}

export interface HttpParts {
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly database: Database
  readonly keys: KeyCheck
  readonly streamSettings?: StreamSettings
  readonly admissionBounds?: AdmissionBounds
  /** Where limits are counted; default: in this process. */
  readonly limits?: LimitStore
  /** Keys that are not valid, from one address; 0 or nothing: any number. */
  readonly authFailuresPerMinute?: number
  readonly clients?: ClientLimits
  /** What all servers of the deployment know, and nobody else. Without it there are no others. */
  readonly peerSecret?: string | undefined
  /** Answers who navigates to a path that nothing is served under, where that is a page after all. */
  readonly page?: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined) | undefined
  /** Told what is built in sessions; undefined: there was nothing to sign. */
  readonly onBuilt?: (tenant: TenantDatabase, built: NotedBuild) => Promise<KeptBuild | undefined>
  /** Told how many streams are open, whenever that changes. */
  readonly onStreams?: (open: number) => void
  /** Told every refused request; the counters of /metrics listen here. */
  readonly onFailure?: (failure: { operation: string; leg: Leg; code: string }) => void
}

const SILENT_MS = 120_000
/** How often connections that wait for a request are looked at. */
const LOOK_MS = 1_000
/** The framework answers "no such route" for longer parameters, before the route's own code could say what is wrong. */
const LONGEST_PATH_PARAMETER = 8_192

/** The HTTP server with all its routes; tests build the very same one. It listens only when told to. */
export function createHttpServer(parts: HttpParts, routes: readonly Route[]): FastifyInstance {
  const methodsOf = createMethodsOf(routes.map(({ operation }) => operation))
  async function noSuchRoute(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const metadata = { requestId: request.id, timestamp: parts.clock.now().toISOString() }
    const path = request.url.split('?')[0] ?? ''
    const served = methodsOf(path)
    const page = served.length === 0 ? parts.page?.(request, reply) : undefined
    if (page) return page
    // A path of the right form can hold what no route takes, such as half of an escape.
    const methods = served.includes(request.method) ? [] : served
    const shown = `${request.method} ${path.slice(0, 200)}`
    const error =
      methods.length > 0
        ? { code: 'METHOD_NOT_ALLOWED', message: `There is no route ${shown}, but one for ${methods.join(', ')}.` }
        : { code: 'ROUTE_NOT_FOUND', message: `There is no route ${shown}. See /docs.` }
    reply.header('x-request-id', request.id)
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    return reply.code(methods.length > 0 ? 405 : 404).send({ success: false, data: null, error, metadata })
  }
  const { clients = {} } = parts
  const { requestTimeoutMs: requestTimeout = 30_000, headersTimeoutMs: headersTimeout = 10_000 } = clients
  const app = fastify({
    loggerInstance: parts.log as unknown as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => newId(parts.clock, parts.random),
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    // A path that cannot be decoded or is far too long fails in the framework before any hook runs.
    frameworkErrors: (_error, request, reply) => void noSuchRoute(request, reply),
    requestTimeout,
    // Neither side has moved a byte: a listener hears a heartbeat, and no answer takes that long.
    connectionTimeout: SILENT_MS,
    http: { headersTimeout, connectionsCheckingInterval: Math.min(LOOK_MS, headersTimeout) },
    trustProxy: clients.trustedProxies || false,
    clientErrorHandler: createClientErrorHandler(parts),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  if (clients.connections !== undefined) app.server.maxConnections = clients.connections
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    let parsed: unknown
    try {
      parsed = parseBody(body)
    } catch (error) {
      done(error as Error)
      return
    }
    done(null, parsed)
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // What we call JSON or a file is never guessed to be a page.
    reply.header('x-content-type-options', 'nosniff')
    // Whoever asked for a WebSocket and gets an answer instead: the connection serves nothing else.
    if (request.headers.upgrade) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!parts.log.isLevelEnabled('info')) return done()
    const operation = request.routeOptions.url ?? 'unknown'
    request.log.info(
      {
        method: request.method,
        route: operation,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...attributionOf(request),
      },
      'request',
    )
    done()
  })
  letOriginsIn(app, clients.origins ?? [])
  app.setNotFoundHandler(noSuchRoute)
  mountAll(app, parts, routes)
  return app
}

/** A listener has nothing to say to us. */
const LARGEST_WORD_OF_A_LISTENER = 4_096

function mountAll(app: FastifyInstance, parts: HttpParts, routes: readonly Route[]): void {
  const admission = createAdmission(parts.admissionBounds ?? DEFAULT_ADMISSION)
  const limits = parts.limits ?? createMemoryLimits()
  const { slots } = limits
  const streams = createStreamHub({ ...parts.streamSettings, slots, log: parts.log, onCount: parts.onStreams })
  const { peerSecret } = parts
  const peers = peerSecret === undefined ? undefined : createPeers(peerSecret)
  const desk = peerSecret === undefined ? undefined : createDesk(peerSecret, parts.log)
  app.addHook('onClose', async () => peers?.close())
  const { consoleOrigin } = parts.clients ?? {}
  const given = { ...parts, streams, limits, admission, peers, desk, consoleOrigin }
  // First, so that it is ours that tells the listeners why.
  app.addHook('preClose', async () => {
    streams.endAll()
    await desk?.close()
  })
  app.register(websocket, {
    options: { maxPayload: LARGEST_WORD_OF_A_LISTENER, server: websocketUpgrades(app.server, desk?.opens) },
  })
  app.register(async (scope) => {
    for (const route of routes.filter(({ operation }) => operation.stream)) mount(scope, given, route)
  })
  // After the streams: what is compressed waits for more to compress.
  speakCompressed(app)
  app.register(async (scope) => {
    for (const route of routes.filter(({ operation }) => !operation.stream)) mount(scope, given, route)
  })
}
