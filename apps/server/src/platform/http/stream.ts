import type { WebSocket } from '@fastify/websocket'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import { type Door, instanceCallerOf } from './door.ts'
import { createReading } from './perform.ts'
import type { Route } from './route.ts'
import type { HttpParts } from './server.ts'
import { eventConnection, type StreamConnection, socketConnection } from './stream-connections.ts'
import type { OpenedStream, StreamHub } from './streams.ts'

declare module 'fastify' {
  interface FastifyRequest {
    opened?: OpenedStream
  }
}

const wantsEvents = (request: FastifyRequest) => request.headers.accept?.includes('text/event-stream') ?? false

type Streaming = Extract<Route, { readonly serves: 'listeners' }>

/** The three hooks of a path that streams, over server-sent events and WebSockets alike. */
export function createStream(
  { operation, open }: Streaming,
  parts: HttpParts & { readonly streams: StreamHub },
  door: Door,
) {
  const reading = createReading(operation)

  async function openStream(request: FastifyRequest): Promise<OpenedStream> {
    const caller = instanceCallerOf(request)
    const source = await open(reading.callOf(request, caller, parts.database.tenant(caller.grant)))
    if (!request.ws && !wantsEvents(request)) throw new AppError('NOT_ACCEPTABLE')
    const slot = await parts.streams.admit(caller.keyId)
    // Also when the listener is gone before it hears the first word.
    request.raw.socket.once('close', () => parts.streams.leave(slot))
    return { source, slot }
  }

  function run(request: FastifyRequest, connection: StreamConnection): void {
    const { opened } = request
    if (!opened) throw new Error('a stream was not opened')
    const prove = () =>
      door.retryOnce(request, () => opened.source.check(parts.database.tenant(instanceCallerOf(request).grant)))
    const { source, slot } = opened
    const of = source.checkedAs === undefined ? slot.slotId : `${slot.keyId} ${source.checkedAs}`
    parts.streams.run(connection, opened, { of, prove })
  }

  return {
    // Whatever is refused is refused before the connection is upgraded.
    preHandler: async (request: FastifyRequest) => {
      request.opened = await door.retryOnce(request, () => openStream(request))
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => run(request, eventConnection(reply)),
    wsHandler: (socket: WebSocket, request: FastifyRequest) => run(request, socketConnection(socket)),
  }
}
