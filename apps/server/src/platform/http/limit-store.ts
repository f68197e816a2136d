import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Log } from '../log.ts'
import { memorySlots, type StreamSlots, sharedSlots } from './stream-slots.ts'

/** Counts what happens within a minute. The name says which minute it is. */
export interface Counters {
  /** Answers how often it was counted, this time included. */
  add(name: string): Promise<number>
  /** Answers how often it was counted. */
  get(name: string): Promise<number>
}

/** Where limits are kept: in this process, or in a Valkey or Redis that all replicas share. */
export interface LimitStore {
  readonly counters: Counters
  readonly slots: StreamSlots
  close(): Promise<void>
}

const WINDOW_SECONDS = 60
/** The limiter of the library has one limit for all names; ours differ by key, so it only counts. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

const countersOf = (limiter: RateLimiterMemory | RateLimiterRedis): Counters => ({
  add: async (name) => (await limiter.penalty(name, 1)).consumedPoints,
  get: async (name) => (await limiter.get(name))?.consumedPoints ?? 0,
})

const memoryCounters = () => countersOf(new RateLimiterMemory({ points: UNLIMITED, duration: WINDOW_SECONDS }))

export const createMemoryLimits = (): LimitStore => ({
  counters: memoryCounters(),
  slots: memorySlots(),
  close: async () => {},
})

/** A store in the same data centre answers in less than a millisecond; nobody waits longer for one that does not. */
const ANSWER_TIMEOUT_MS = 250
const CONNECT_TIMEOUT_MS = 2_000
const MOST_BETWEEN_TRIES_MS = 2_000
/** How long a store that failed is left alone before it is asked again. */
const LEFT_ALONE_MS = 2_000

export interface SharedLimitsParts {
  readonly url: string
  readonly log: Log
  /** Told whether the store answers, whenever that changes. */
  readonly onState?: (isUp: boolean) => void
}

/**
 * Limits that all replicas share. While the store is away each replica counts for itself: a limit is then as many times higher as there
 * are replicas, which is better than refusing everybody, and better than refusing nobody.
 */
export function createSharedLimits({ url, log, onState }: SharedLimitsParts): LimitStore {
  const client = new Redis(url, {
    connectionName: 'tallystick',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 100, MOST_BETWEEN_TRIES_MS),
  })
  let isUp: boolean | undefined
  let probe: NodeJS.Timeout | undefined

  function tell(now: boolean, error?: unknown): void {
    if (isUp === now) return
    isUp = now
    onState?.(now)
    if (now) log.info('limits are counted in the shared store')
    else log.error({ err: error }, 'the store of limits does not answer; this process counts for itself')
  }

  /** Asked aside, so that no request has to find out for the others. */
  async function look(): Promise<void> {
    try {
      await client.ping()
      tell(true)
    } catch (error) {
      leaveAlone(error)
    }
  }
  function leaveAlone(error: unknown): void {
    tell(false, error)
    clearTimeout(probe)
    probe = setTimeout(look, LEFT_ALONE_MS).unref()
  }
  client.on('ready', () => tell(true))
  client.on('error', (error) => tell(false, error))
  client.on('close', () => tell(false))

  async function sharedOr<T>(shared: () => Promise<T>, local: () => Promise<T>): Promise<T> {
    if (!isUp) return local()
    try {
      return await shared()
    } catch (error) {
      leaveAlone(error)
      return local()
    }
  }

  const here = memoryCounters()
  const everywhere = countersOf(
    new RateLimiterRedis({ storeClient: client, keyPrefix: 'tally:rate', points: UNLIMITED, duration: WINDOW_SECONDS }),
  )
  const slotsHere = memorySlots()
  const slotsEverywhere = sharedSlots(client)
  return {
    counters: {
      add: (name) =>
        sharedOr(
          () => everywhere.add(name),
          () => here.add(name),
        ),
      get: (name) =>
        sharedOr(
          () => everywhere.get(name),
          () => here.get(name),
        ),
    },
    slots: {
      // Counted here as well, so that there is something to go by when the store goes away.
      async take(slot, most) {
        if (!(await slotsHere.take(slot, most))) return false
        const isTaken = await sharedOr(
          () => slotsEverywhere.take(slot, most),
          async () => true,
        )
        if (!isTaken) await slotsHere.leave(slot)
        return isTaken
      },
      async keep(slots) {
        await slotsHere.keep(slots)
        await sharedOr(
          () => slotsEverywhere.keep(slots),
          async () => {},
        )
      },
      async leave(slot) {
        await slotsHere.leave(slot)
        await sharedOr(
          () => slotsEverywhere.leave(slot),
          async () => {},
        )
      },
    },
    async close() {
      clearTimeout(probe)
      client.removeAllListeners('close')
      client.disconnect()
    },
  }
}
