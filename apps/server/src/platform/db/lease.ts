import type postgres from 'postgres'
import { type Wait, waited } from '../measure.ts'
import { connectionLost, DatabaseBusyError } from './errors.ts'
import type { Patience } from './patience.ts'

/** Of the driver's internals, only where a query goes when it is run. */
interface DriverQuery extends Promise<unknown> {
  handler: (query: DriverQuery) => void
  reject(fault: unknown): void
}

/** One connection for the time of one transaction. */
export interface Lease {
  /** Refuses every statement once the connection is gone. */
  readonly sql: postgres.Sql
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Hands the connection to the next transaction, or drops it when it is not fit for one. */
  end(): void
}

interface Slot {
  readonly client: postgres.Sql
  readonly sql: postgres.Sql
  lost: boolean
}

export interface Leases {
  /** Of what an owner is named for, at most its share is held at once, and those who wait are served in turns. */
  take(owner?: string): Promise<Lease>
  close(): Promise<void>
}

export interface LeaseBounds {
  readonly size: number
  /** Connections that one owner may hold at once. */
  readonly perOwner: number
  /** How many may wait, of one owner and in all. */
  readonly longestQueue: number
  readonly patience: Pick<Patience, 'wholeMs' | 'queueMs'>
  /** What is waited for, in the figures. */
  readonly what: Wait['what']
}

interface Waiter {
  readonly give: (slot: Slot) => void
}

/** Of all owners together: whoever comes after them would wait in vain. */
const LONGEST_QUEUE_OF_ALL = 5_000

/**
 * Before every commit. It waits for the standby as long as it takes, or until its connection is dropped: a statement that is out of time is
 * cancelled, and a cancelled wait is called a success although the standby has nothing.
 */
export const WITHOUT_TIMEOUT = 'set local statement_timeout = 0'
const FAILED_BEFORE = '25P02'

/**
 * A pool of its own, because the driver's gives the place of a broken connection to the next transaction and goes on serving the
 * one that held it: its late statements would land in a stranger's transaction, its rollback would undo it. Here a broken connection
 * is never used again, neither by its holder nor by anybody else.
 */
export function createLeases(
  open: (onLost: () => void) => postgres.Sql,
  { size, perOwner, longestQueue, patience, what }: LeaseBounds,
): Leases {
  const slots = new Set<Slot>()
  const idle: Slot[] = []
  const held = new Map<string, number>()
  /** The owner that was served last is the last in the map. */
  const queues = new Map<string | undefined, Waiter[]>()
  let waiting = 0

  function createSlot(): Slot {
    const client = open(() => drop(slot))
    const slot: Slot = { client, sql: refusing(client, () => slot.lost), lost: false }
    slots.add(slot)
    return slot
  }

  function drop(slot: Slot): void {
    if (slot.lost) return
    slot.lost = true
    slots.delete(slot)
    // At once: the driver would connect again to run what it still has in its queue, outside of any transaction.
    void slot.client.end({ timeout: 0 })
    serveWaiting()
  }

  function freeSlot(): Slot | undefined {
    for (let slot = idle.pop(); slot; slot = idle.pop()) if (!slot.lost) return slot
    return slots.size < size ? createSlot() : undefined
  }

  const mayHold = (owner: string | undefined) => owner === undefined || (held.get(owner) ?? 0) < perOwner

  function hold(owner: string | undefined, change: 1 | -1): void {
    if (owner === undefined) return
    const count = (held.get(owner) ?? 0) + change
    if (count > 0) held.set(owner, count)
    else held.delete(owner)
  }

  function serveWaiting(): void {
    for (;;) {
      const next = [...queues].find(([owner]) => mayHold(owner))
      const slot = next && freeSlot()
      if (!next || !slot) return
      const [owner, queue] = next
      const waiter = queue.shift()
      queues.delete(owner)
      if (queue.length > 0) queues.set(owner, queue)
      waiting -= 1
      waiter?.give(slot)
    }
  }

  function waitForSlot(owner: string | undefined): Promise<Slot> {
    const queue = queues.get(owner) ?? []
    if (queue.length >= longestQueue || waiting >= LONGEST_QUEUE_OF_ALL)
      throw new DatabaseBusyError('too many wait for a connection already')
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1)
        if (queue.length === 0 && queues.get(owner) === queue) queues.delete(owner)
        waiting -= 1
        reject(new DatabaseBusyError('no connection became free in time'))
      }, patience.queueMs)
      const waiter: Waiter = {
        give(slot) {
          clearTimeout(giveUp)
          hold(owner, 1)
          resolve(slot)
        },
      }
      queue.push(waiter)
      queues.set(owner, queue)
      waiting += 1
    })
  }

  function takeSlot(owner: string | undefined): Slot | Promise<Slot> {
    const slot = mayHold(owner) ? freeSlot() : undefined
    if (!slot) return waitForSlot(owner)
    hold(owner, 1)
    return slot
  }

  return {
    async take(owner) {
      const slot = await waited(what, takeSlot(owner))
      const giveUp = setTimeout(() => drop(slot), patience.wholeMs)
      return {
        sql: slot.sql,
        async commit() {
          try {
            await slot.sql.unsafe(`${WITHOUT_TIMEOUT}; commit`).simple()
          } catch (error) {
            // What PostgreSQL answers when a statement failed and nobody took it back.
            if ((error as { code?: unknown }).code !== FAILED_BEFORE) throw error
            throw new Error('a transaction in which a statement failed cannot be committed', { cause: error })
          }
          // Told of it before the answer came: the answer is worth nothing.
          if (slot.lost) throw connectionLost()
        },
        async rollback() {
          if (slot.lost) return
          // A connection whose transaction may still be open is not fit for the next one.
          await slot.sql`rollback`.catch(() => drop(slot))
        },
        end() {
          clearTimeout(giveUp)
          hold(owner, -1)
          if (!slot.lost) idle.push(slot)
          serveWaiting()
        },
      }
    },
    async close() {
      await Promise.all([...slots].map(({ client }) => client.end({ timeout: 5 })))
    },
  }
}

function refusing(client: postgres.Sql, lost: () => boolean): postgres.Sql {
  function watched(made: unknown): unknown {
    if (!(made instanceof Promise)) return made
    const query = made as DriverQuery
    const { handler } = query
    query.handler = (sent) => (lost() ? sent.reject(connectionLost()) : handler(sent))
    return query
  }
  return new Proxy(client, {
    apply: (target, self, args) => watched(Reflect.apply(target, self, args)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'unsafe' || typeof value !== 'function') return value
      return (...args: unknown[]) => watched(Reflect.apply(value, target, args))
    },
  })
}
