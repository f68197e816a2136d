import type postgres from 'postgres'

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
  take(): Promise<Lease>
  close(): Promise<void>
}

const connectionLost = () => Object.assign(new Error('the connection broke'), { code: 'CONNECTION_CLOSED' })

/**
 * A pool of its own, because the driver's gives the place of a broken connection to the next transaction and goes on serving the
 * one that held it: its late statements would land in a stranger's transaction, its rollback would undo it. Here a broken connection
 * is never used again, neither by its holder nor by anybody else.
 */
export function createLeases(open: (onLost: () => void) => postgres.Sql, size: number): Leases {
  const slots = new Set<Slot>()
  const idle: Slot[] = []
  const waiting: ((slot: Slot) => void)[] = []

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
    const next = waiting.shift()
    if (next) next(createSlot())
  }

  function takeSlot(): Slot | Promise<Slot> {
    for (let slot = idle.pop(); slot; slot = idle.pop()) if (!slot.lost) return slot
    if (slots.size < size) return createSlot()
    return new Promise((resolve) => waiting.push(resolve))
  }

  function giveBack(slot: Slot): void {
    if (slot.lost) return
    const next = waiting.shift()
    if (next) next(slot)
    else idle.push(slot)
  }

  return {
    async take() {
      const slot = await takeSlot()
      return {
        sql: slot.sql,
        async commit() {
          const { command } = await slot.sql`commit`
          // What PostgreSQL answers when a statement failed and nobody took it back.
          if (command === 'ROLLBACK') throw new Error('a transaction in which a statement failed cannot be committed')
        },
        async rollback() {
          if (slot.lost) return
          // A connection whose transaction may still be open is not fit for the next one.
          await slot.sql`rollback`.catch(() => drop(slot))
        },
        end: () => giveBack(slot),
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
