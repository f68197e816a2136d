import { type BookReplica, type FollowOptions, followBook, followEvents, type StreamOrderBook } from '@tallystick/sdk'
import { tally } from './client.ts'
import type { Kind } from './trading.ts'

const { trading, access } = tally

export type BookMessage = Extract<StreamOrderBook['message'], { type: 'snapshot' | 'update' }>

export interface FollowedBook {
  readonly message: BookMessage
  readonly book: BookReplica
}

interface Options {
  readonly signal: AbortSignal
  readonly onLost: () => void
  /** With every connection: from here on nothing is missed. */
  readonly onOpen?: () => void
}

/** A socket, since browsers open only six connections of the other kind to one place; a ticket says who opens it. */
const inBrowser = ({ signal, onLost, onOpen }: Options): FollowOptions => ({
  signal,
  onLost,
  openSocket: (url) => {
    const socket = new WebSocket(url)
    if (onOpen) socket.addEventListener('open', onOpen)
    return socket
  },
  ticket: async (path) => (await access.createStreamTicket({ body: { path } })).data.ticket,
})

/** A book that is always whole: after every break it begins with a new snapshot. */
export function streamBook(
  kind: Kind,
  orderBookId: string,
  options: Options,
): AsyncGenerator<FollowedBook, void, undefined> {
  const request = { params: { orderBookId } }
  return kind === 'offchain'
    ? followBook(trading.streamOffchainBook, request, inBrowser(options))
    : followBook(trading.streamOrderBook, { surface: `orderbooks/${kind}`, ...request }, inBrowser(options))
}

/** Every request for quote of the instance and every quote on one, without loss or doubling. */
export const streamRequests = (options: Options) => followEvents(trading.streamRfqs, {}, inBrowser(options))
