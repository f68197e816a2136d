import websocket from '@fastify/websocket'
import type { Leg } from '@tallystick/wire'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Random } from '../random.ts'
import { type AdmissionBounds, createAdmission, DEFAULT_ADMISSION } from './admission.ts'
import type { KeyCheck } from './caller.ts'
import { parseBody } from './json-body.ts'
import { mount, type Route } from './mount.ts'
import { createStreamHub, type StreamSettings } from './streams.ts'
import { websocketUpgrades } from './upgrades.ts'

export interface HttpParts {
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly database: Database
  readonly keys: KeyCheck
  readonly streamSettings?: StreamSettings
  readonly admissionBounds?: AdmissionBounds
  /** Told how many streams are open, whenever that changes. */
  readonly onStreams?: (open: number) => void
  /** Told every refused request; the counters of /metrics listen here. */
  readonly onFailure?: (failure: { operation: string; leg: Leg; code: string }) => void
}

/** The framework answers "no such route" for longer parameters, before the route's own code could say what is wrong. */
const LONGEST_PATH_PARAMETER = 8_192

/** The HTTP server with all its routes; tests build the very same one. It listens only when told to. */
export function createHttpServer(parts: HttpParts, routes: readonly Route[]): FastifyInstance {
  async function noSuchRoute(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const metadata = { requestId: request.id, timestamp: parts.clock.now().toISOString() }
    const error = {
      code: 'ROUTE_NOT_FOUND',
      message: `There is no route ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}. See /docs.`,
    }
    reply.header('x-request-id', request.id)
    return reply.code(404).send({ success: false, data: null, error, metadata })
  }
  const app = fastify({
    loggerInstance: parts.log as unknown as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => newId(parts.clock, parts.random),
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    // A path that cannot be decoded or is far too long fails in the framework before any hook runs.
    frameworkErrors: (_error, request, reply) => void noSuchRoute(request, reply),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseBody(body),
  )
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // What we call JSON or a file is never guessed to be a page.
    reply.header('x-content-type-options', 'nosniff')
    // Whoever asked for a WebSocket and gets an answer instead: the connection serves nothing else.
    if (request.headers.upgrade) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.url ?? 'unknown'
    request.log.info(
      {
        method: request.method,
        route: operation,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
  app.setNotFoundHandler(noSuchRoute)
  mountAll(app, parts, routes)
  return app
}

/** A listener has nothing to say to us. */
const LARGEST_WORD_OF_A_LISTENER = 4_096

function mountAll(app: FastifyInstance, parts: HttpParts, routes: readonly Route[]): void {
  const streams = createStreamHub({ ...parts.streamSettings, log: parts.log, onCount: parts.onStreams })
  const admission = createAdmission(parts.admissionBounds ?? DEFAULT_ADMISSION)
  const given = { ...parts, streams, admission }
  for (const route of routes.filter(({ operation }) => !operation.stream)) mount(app, given, route)
  // First, so that it is ours that tells the listeners why.
  app.addHook('preClose', async () => streams.endAll())
  app.register(websocket, {
    options: { maxPayload: LARGEST_WORD_OF_A_LISTENER, server: websocketUpgrades(app.server) },
  })
  app.register(async (scope) => {
    for (const route of routes.filter(({ operation }) => operation.stream)) mount(scope, given, route)
  })
}
