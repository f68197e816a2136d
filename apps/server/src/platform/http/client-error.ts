import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { routeErrors } from '@tallystick/wire'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { Random } from '../random.ts'

const codes: Record<string, keyof typeof routeErrors> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** The last words to a connection on which no request could be read to its end: too slow, too long, or not HTTP. */
export function createClientErrorHandler(parts: { readonly clock: Clock; readonly random: Random }) {
  return (fault: NodeJS.ErrnoException, socket: Socket): void => {
    if (fault.code === 'ECONNRESET' || socket.destroyed) return
    const code = codes[fault.code ?? ''] ?? 'MALFORMED_REQUEST'
    const { status, message } = routeErrors[code]
    const metadata = { requestId: newId(parts.clock, parts.random), timestamp: parts.clock.now().toISOString() }
    const body = JSON.stringify({ success: false, data: null, error: { code, message }, metadata })
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'content-type: application/json; charset=utf-8',
      `x-request-id: ${metadata.requestId}`,
      'connection: close',
    ]
    if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroy(fault)
  }
}
