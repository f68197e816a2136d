import { setTimeout as sleep } from 'node:timers/promises'
import { createBookReplica, tradingOperations } from '@tallystick/wire'
import { type Listener, listenEvents, type Message } from './listener.ts'

export interface TenaciousListener {
  /** Trades as told, in the order they were told. */
  readonly tradeIds: readonly string[]
  readonly faults: readonly string[]
  readonly connections: () => number
  /** Where the book stands that was built from the messages; null: between two connections. */
  place(): { sequence: string; headHash: string } | null
  stop(): Promise<void>
}

const RETRY_MS = 50

/** Follows the book and the fills of one off-chain book over servers that come and go. */
export function listenTenaciously(request: {
  readonly bookId: string
  readonly key: string
  readonly pickServer: () => string
}): TenaciousListener {
  const { bookId, key, pickServer } = request
  const tradeIds: string[] = []
  const faults: string[] = []
  let connections = 0
  let stopped = false
  let replica = createBookReplica()
  let lastId = '0'
  const open = new Set<Listener>()

  async function follow(
    path: string,
    operation: typeof tradingOperations.streamOffchainBook | typeof tradingOperations.streamOffchainFills,
    take: (message: Message) => void,
    onOpen: () => Record<string, string>,
  ) {
    while (!stopped) {
      try {
        const url = `${pickServer()}/orderbooks/stocks/api/offchain/order-books/${bookId}${path}`
        const listener = await listenEvents(url, { key, operation, headers: onOpen() })
        connections += 1
        open.add(listener)
        try {
          while (!stopped) take(await listener.next())
        } finally {
          open.delete(listener)
          listener.close()
        }
      } catch {
        // Killed, not up yet, or quiet for long: all the same to somebody who comes back.
        await sleep(RETRY_MS)
      }
    }
  }

  const running = [
    follow(
      '/stream',
      tradingOperations.streamOffchainBook,
      (message) => {
        try {
          replica.take(message)
        } catch (error) {
          faults.push(`${bookId}: ${(error as Error).message}`)
          throw error
        }
      },
      () => {
        replica = createBookReplica()
        return {}
      },
    ),
    follow(
      '/fills/stream',
      tradingOperations.streamOffchainFills,
      (message) => {
        if (message.type !== 'fill') return
        lastId = message.id
        tradeIds.push(message.trade.tradeId)
      },
      () => ({ 'last-event-id': lastId }),
    ),
  ]

  return {
    tradeIds,
    faults,
    connections: () => connections,
    place() {
      const [sequence, headHash] = [replica.sequence(), replica.headHash()]
      return sequence === null || headHash === null ? null : { sequence, headHash }
    },
    async stop() {
      stopped = true
      for (const listener of open) listener.close()
      await Promise.all(running)
    },
  }
}
