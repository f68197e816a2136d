import type { OperationSpec, RequestShape } from '../operation.ts'
import { TallyConnectionError } from '../tally-error.ts'
import type { Transport } from '../transport.ts'
import { type ReadOptions, SILENCE_MS } from './read-events.ts'

/** What is used of a WebSocket; those of browsers, of Node and of the usual packages have it. */
export interface Socket {
  addEventListener(type: string, heard: (event: { data?: unknown; reason?: string; message?: string }) => void): void
  close(): void
}

/** Opens one with headers, as `new WebSocket(url, { headers })` of undici and of Node 22 does. Browsers cannot: they use events. */
export type OpenSocket = (url: string, headers: Record<string, string>) => Socket

type News = { readonly message: unknown } | { readonly over: string }

/** The same messages as `readEvents`, over a WebSocket on the same path. */
export async function* readSocket(
  transport: Transport,
  operation: OperationSpec,
  request: RequestShape,
  openSocket: OpenSocket,
  { signal, silenceMs = SILENCE_MS }: ReadOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { url, headers } = transport.address(operation, request)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = openSocket(url.toString(), headers)
  const waiting: News[] = []
  let wake: () => void = () => undefined
  const tell = (news: News) => {
    waiting.push(news)
    wake()
  }
  const hear = () => setTimeout(() => tell({ over: `nothing came for ${silenceMs} ms` }), silenceMs)
  let timer = hear()
  let isOver = false
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return
    clearTimeout(timer)
    timer = hear()
    tell({ message: JSON.parse(String(data)) })
  })
  socket.addEventListener('error', ({ message }) => tell({ over: message ?? 'the connection failed' }))
  socket.addEventListener('close', ({ reason }) => tell({ over: reason || 'the connection was closed' }))
  const stop = () => tell({ over: 'stopped' })
  signal?.addEventListener('abort', stop, { once: true })
  let isEnded = false
  try {
    for (;;) {
      signal?.throwIfAborted()
      const news = waiting.shift()
      if (!news) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else if ('message' in news) {
        yield news.message
        isEnded = (news.message as { type?: string }).type === 'end'
      } else {
        signal?.throwIfAborted()
        // The last word was said before: this is how the connection ends after it.
        if (isEnded) return
        throw new TallyConnectionError(operation.id, undefined, news.over)
      }
    }
  } finally {
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    socket.close()
  }
}
