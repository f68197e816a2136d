import type { OutgoingHttpHeaders } from 'node:http'
import type { WebSocket } from '@fastify/websocket'
import type { FastifyReply } from 'fastify'

export interface StreamMessage {
  readonly event: string
  /** JSON on one line. */
  readonly data: string
  /** To go on from after the connection broke. */
  readonly id?: string
}

/** One listener, however it is connected. */
export interface StreamConnection {
  send(message: StreamMessage): void
  /** Bytes that wait to be taken. */
  buffered(): number
  drained(): Promise<void>
  /** Asked once per heartbeat: false when the other side has shown no sign of life for three of them. */
  isAlive(): boolean
  close(reason: string): void
  destroy(): void
  onGone(told: () => void): void
}

/** Server-sent events: the answer to a request, never finished by itself. */
export function eventConnection(reply: FastifyReply): StreamConnection {
  const { raw } = reply
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  reply.hijack()
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Nothing follows a stream: its end shall be the end of the connection too.
    connection: 'close',
    // A proxy that gathers an answer before it passes it on would keep it for ever.
    'x-accel-buffering': 'no',
  })
  // Whoever is told of a lost connection learns it from `close`.
  raw.on('error', () => {})
  return {
    send({ event, data, id }) {
      raw.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`)
    },
    buffered: () => raw.writableLength,
    drained: () => {
      if (!raw.writableNeedDrain || raw.destroyed) return Promise.resolve()
      return new Promise((resolve) => {
        raw.once('drain', resolve)
        raw.once('close', resolve)
      })
    },
    // A listener that went away without a word is found by TCP: what is sent to it comes back as an error.
    isAlive: () => true,
    close: () => raw.end(),
    destroy: () => raw.destroy(),
    onGone: (told) => raw.once('close', told),
  }
}

const GOING_AWAY = 1001
/** Our own: the reason says which. */
const ENDED = 4000
const DRAIN_LOOK_MS = 20
const MOST_UNANSWERED = 3

export function socketConnection(socket: WebSocket): StreamConnection {
  let unanswered = 0
  socket.on('pong', () => {
    unanswered = 0
  })
  return {
    send: ({ data }) => socket.send(data, () => {}),
    buffered: () => socket.bufferedAmount,
    // The library does not say when it has written: asked again and again, and only by sources that wait.
    drained: async () => {
      while (socket.readyState === socket.OPEN && socket.bufferedAmount > 0)
        await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS))
    },
    isAlive() {
      if (unanswered >= MOST_UNANSWERED) return false
      unanswered += 1
      socket.ping()
      return true
    },
    close: (reason) => socket.close(reason === 'SERVER_SHUTDOWN' ? GOING_AWAY : ENDED, reason),
    destroy: () => socket.terminate(),
    onGone: (told) => socket.once('close', told),
  }
}
