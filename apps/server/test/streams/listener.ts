import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from '@tallystick/wire'
import { Compile } from 'typebox/compile'
import { WebSocket } from 'undici'
import { recordExample } from '../recorded-examples.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely; their form is checked against the document
export type Message = any

export interface Listener {
  /** The next message that nobody took yet, heartbeats left out; with a type, the next one of it, and what comes before is dropped. */
  next(type?: string): Promise<Message>
  /** The reason that the server gave, once it has ended the stream. */
  ended(): Promise<string>
  /** Ids that came with the messages, as a browser would keep them. */
  lastEventId(): string | undefined
  close(): void
}

export interface ListenRequest {
  readonly key: string
  readonly operation: Operation
  readonly headers?: Record<string, string>
}

const PATIENCE_MS = 10_000

/** Holds every message against what the operation declares. */
function createInbox({ operation }: ListenRequest, url: string) {
  const { pathname, search } = new URL(url)
  const validator = Compile(operation.legs.read?.data ?? {})
  const waiting: Message[] = []
  let wake = () => {}
  let isOver = false
  let fault: Error | undefined

  return {
    take(text: string): void {
      const message = JSON.parse(text) as Message
      if (!validator.Check(message))
        fault = new Error(
          `${operation.id} streamed something undocumented: ${text} ${JSON.stringify(validator.Errors(message))}`,
        )
      if (message.type !== 'heartbeat')
        recordExample({ operation: operation.id, leg: 'read', path: `${pathname}${search}`, answer: message })
      waiting.push(message)
      wake()
    },
    over(): void {
      isOver = true
      wake()
    },
    async next(type?: string): Promise<Message> {
      const deadline = Date.now() + PATIENCE_MS
      for (;;) {
        if (fault) throw fault
        const message = waiting.shift()
        if (message && (type === undefined ? message.type !== 'heartbeat' : message.type === type)) return message
        if (message) continue
        if (isOver) throw new Error(`the stream ended without ${type ?? 'another message'}`)
        if (Date.now() > deadline) throw new Error(`no ${type ?? 'message'} in time`)
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(deadline - Date.now() + 1)])
      }
    },
  }
}

/** Server-sent events, as a client without a library reads them. */
export async function listenEvents(url: string, request: ListenRequest): Promise<Listener> {
  const abort = new AbortController()
  const inbox = createInbox(request, url)
  const response = await fetch(url, {
    headers: { 'x-api-key': request.key, accept: 'text/event-stream', ...request.headers },
    signal: abort.signal,
  })
  if (response.status !== 200 || !response.body) throw new Error(`${response.status} ${await response.text()}`)
  let lastEventId: string | undefined
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        lastEventId = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? lastEventId
        const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
        if (data !== undefined) inbox.take(data)
      }
    }
  }
  read()
    .catch(() => {})
    .finally(inbox.over)
  return {
    next: inbox.next,
    ended: async () => (await inbox.next('end')).reason,
    lastEventId: () => lastEventId,
    close: () => abort.abort(),
  }
}

export async function listenSocket(url: string, request: ListenRequest): Promise<Listener> {
  const inbox = createInbox(request, url)
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    headers: { 'x-api-key': request.key, ...request.headers },
  })
  socket.addEventListener('message', ({ data }) => inbox.take(String(data)))
  socket.addEventListener('close', () => inbox.over())
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the socket was refused')))
  })
  return {
    next: inbox.next,
    ended: async () => (await inbox.next('end')).reason,
    lastEventId: () => undefined,
    close: () => socket.close(),
  }
}
