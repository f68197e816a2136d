import type { SnapshotMessage, UpdateMessage } from '../generated/streams/book-messages.ts'
import type { BookReplica } from '../generated/streams/book-replica.ts'
import { createBookReplica, ReplicaBroken } from '../generated/streams/book-replica.ts'
import type { Bound } from '../method.ts'
import type { RequestShape, StreamShape } from '../operation.ts'
import { pathOf } from '../request-url.ts'
import { backoffMs } from '../retry.ts'
import { TallyConnectionError, TallyError } from '../tally-error.ts'
import { readEvents } from './read-events.ts'
import { type OpenSocket, readSocket } from './read-socket.ts'

export interface FollowOptions {
  readonly signal?: AbortSignal
  /** Given: over WebSockets. Else: server-sent events. */
  readonly openSocket?: OpenSocket
  /** Where no key is at hand: a ticket for the stream under a path, asked for anew with every connection. */
  readonly ticket?: (path: string) => Promise<string>
  /** Told why a connection was given up, before the next one is opened. */
  readonly onLost?: (why: unknown) => void
  /** Longest silence before a connection counts as dead. */
  readonly silenceMs?: number
}

/** Reasons of the server's last word that no new connection would change. */
const FINAL_REASONS = ['AUTH_FAILED', 'AUTH_REQUIRED', 'SCOPE_MISSING', 'SERVICE_NOT_ENABLED', 'ORDER_BOOK_NOT_FOUND']

class StreamEnded extends Error {
  override readonly name = 'StreamEnded'
}

type Message = { readonly type: string }
type Take<T> = (message: Message) => T | undefined

/** A ticket may have been too old when it came; the next one is new. */
const mayPass = ({ status, retryAfterSeconds, code }: TallyError): boolean =>
  status >= 500 || retryAfterSeconds !== undefined || code === 'STREAM_TICKET_INVALID'

/** One connection after the other, for as long as a new one may help. */
async function* reconnecting<S extends StreamShape, T>(
  { operation, transport }: Bound<S>,
  connect: () => { request: RequestShape; take: Take<T> },
  { signal, openSocket, ticket, onLost, silenceMs }: FollowOptions,
): AsyncGenerator<T, void, undefined> {
  const { retry, random, sleep } = transport.parts
  const reading = { ...(signal ? { signal } : {}), ...(silenceMs === undefined ? {} : { silenceMs }) }
  async function withTicket(request: RequestShape): Promise<RequestShape> {
    if (!ticket) return request
    const [path = ''] = pathOf(operation, request, transport.parts.surfaceOf(operation)).split('?')
    return { ...request, query: { ...request.query, ticket: await ticket(path) } }
  }
  for (let tries = 0; ; tries += 1) {
    const { request: asked, take } = connect()
    try {
      const request = await withTicket(asked)
      const messages = openSocket
        ? readSocket(transport, operation, request, openSocket, reading)
        : readEvents(transport, operation, request, reading)
      for await (const message of messages) {
        const { type, reason = '' } = message as Message & { reason?: string }
        if (type === 'end' && FINAL_REASONS.includes(reason)) throw new TypeError(`${operation.id} ended: ${reason}`)
        if (type === 'end') throw new StreamEnded(reason)
        tries = 0
        const taken = take(message as Message)
        if (taken !== undefined) yield taken
      }
      throw new StreamEnded('the connection was closed')
    } catch (error) {
      signal?.throwIfAborted()
      const isPassing =
        error instanceof StreamEnded ||
        error instanceof ReplicaBroken ||
        error instanceof TallyConnectionError ||
        (error instanceof TallyError && mayPass(error))
      if (!isPassing) throw error
      onLost?.(error)
    }
    await sleep(backoffMs(tries, retry, random), signal)
  }
}

export interface BookNews<M> {
  readonly message: M
  /** The book after this message, proven by its checksum. */
  readonly book: BookReplica
}

type BookMessage = SnapshotMessage | UpdateMessage

/**
 * A book that is always whole: every message is checked for gaps and against the checksum, and whenever something is missing a new
 * connection begins with a new snapshot.
 */
export async function* followBook<S extends StreamShape & { readonly message: BookMessage | Message }>(
  method: Bound<S>,
  request: S['request'],
  options: FollowOptions = {},
): AsyncGenerator<BookNews<Extract<S['message'], BookMessage>>, void, undefined> {
  yield* reconnecting(
    method,
    () => {
      const book = createBookReplica()
      const take = (message: Message) => {
        book.take(message)
        if (message.type !== 'snapshot' && message.type !== 'update') return undefined
        return { message: message as Extract<S['message'], BookMessage>, book }
      }
      return { request, take }
    },
    options,
  )
}

/** What has a place to go on from; `ready` only tells the place itself. */
type Placed<M> = Exclude<Extract<M, { readonly id: string }>, { readonly type: 'ready' }>

/**
 * Own fills, or requests for quote, without loss or doubling: every new connection goes on after the last id. Keep the id, and
 * `query: { after }` goes on after a restart.
 */
export async function* followEvents<S extends StreamShape & { readonly message: Message }>(
  method: Bound<S>,
  request: S['request'],
  options: FollowOptions = {},
): AsyncGenerator<Placed<S['message']>, void, undefined> {
  const own: RequestShape = request
  let after = (own.query as { after?: string } | undefined)?.after
  const take = (message: Message) => {
    const { id } = message as { id?: string }
    if (id === undefined) return undefined
    after = id
    return message.type === 'ready' ? undefined : (message as Placed<S['message']>)
  }
  const connect = () => ({
    request: { ...own, query: { ...own.query, ...(after === undefined ? {} : { after }) } },
    take,
  })
  yield* reconnecting(method, connect, options)
}
