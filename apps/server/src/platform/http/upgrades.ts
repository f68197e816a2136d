import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** What asks for another protocol, and means nothing once it is not granted. */
const ASKING = new Set(['upgrade', 'connection', 'http2-settings'])

function withoutRequest({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    if (!ASKING.has((rawHeaders[index] ?? '').toLowerCase()))
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Whether the connection is one of another server of the deployment, and taken care of. */
type OpensLine = (request: IncomingMessage, socket: Socket, rest: Buffer) => boolean

/**
 * Passes on who wants a WebSocket. Whoever would like another protocol, as HTTP clients of the JVM do with every first request, gets the
 * answer to the request itself: as soon as anybody listens for upgrades, Node takes its hands off all of them, body and all.
 */
export function websocketUpgrades(server: Server, opensLine: OpensLine = () => false): Server {
  const sockets = new EventEmitter()
  server.on('upgrade', (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    if (opensLine(request, socket, rest)) return
    if (request.headers.upgrade?.toLowerCase() === 'websocket') {
      sockets.emit('upgrade', request, socket, rest)
      return
    }
    socket.unshift(Buffer.concat([Buffer.from(withoutRequest(request), 'latin1'), rest]))
    server.emit('connection', socket)
  })
  // Nothing but the event is asked of it.
  return sockets as Server
}
