import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  readonly body: any
}

export interface Receiver {
  readonly port: number
  readonly url: string
  readonly received: Received[]
  /** How it answers; default 204. */
  answer: ((response: ServerResponse, message: Received) => void | Promise<void>) | undefined
  /** What came since this was last asked. */
  take(): Received[]
  stop(): Promise<void>
}

/** A machine of somebody who gets webhooks: a real HTTP server on this one. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const message = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as unknown }
      receiver.received.push(message)
      if (receiver.answer) void receiver.answer(response, message)
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: undefined,
    take: () => receiver.received.splice(0),
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return receiver
}

/** What the signature must be, computed from the text of the standard and nothing of ours. */
export function expectedSignature(secret: string, { headers, text }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const content = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.')
  return `v1,${createHmac('sha256', key).update(content, 'utf8').digest('base64')}`
}
