import type { Redis } from 'ioredis'

/** One of the streams that a key may have open. */
export interface Slot {
  readonly keyId: string
  readonly slotId: string
}

/** Who has which stream open. A slot that nobody keeps lapses: a replica that died holds no key up for long. */
export interface StreamSlots {
  /** False: the key has as many as it may. */
  take(slot: Slot, most: number): Promise<boolean>
  keep(slots: readonly Slot[]): Promise<void>
  leave(slot: Slot): Promise<void>
}

const LAPSE_MS = 30_000

export function memorySlots(): StreamSlots {
  const keys = new Map<string, Map<string, number>>()

  function living(keyId: string): Map<string, number> {
    const slots = keys.get(keyId) ?? new Map<string, number>()
    for (const [slotId, lapsesAt] of slots) if (lapsesAt <= performance.now()) slots.delete(slotId)
    return slots
  }
  function put({ keyId, slotId }: Slot, slots: Map<string, number>): void {
    slots.set(slotId, performance.now() + LAPSE_MS)
    keys.set(keyId, slots)
  }
  return {
    async take(slot, most) {
      const slots = living(slot.keyId)
      if (slots.size >= most) return false
      put(slot, slots)
      return true
    },
    // Whoever takes one looks for those that lapsed: here all of a key would be looked through for each of them.
    async keep(slots) {
      for (const slot of slots) put(slot, keys.get(slot.keyId) ?? new Map<string, number>())
    },
    async leave({ keyId, slotId }) {
      const slots = living(keyId)
      slots.delete(slotId)
      if (slots.size === 0) keys.delete(keyId)
    },
  }
}

/** In one step, by the clock of the store: two replicas never give out the last slot twice. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

export function sharedSlots(client: Redis): StreamSlots {
  const nameOf = ({ keyId }: Slot) => `tally:streams:${keyId}`
  const put = async (slot: Slot, most: number) =>
    (await client.eval(TAKE, 1, nameOf(slot), slot.slotId, most, LAPSE_MS)) === 1
  return {
    take: put,
    // Also brings back what a store that was emptied has lost.
    keep: async (slots) => void (await Promise.all(slots.map((slot) => put(slot, Number.MAX_SAFE_INTEGER)))),
    leave: async (slot) => void (await client.zrem(nameOf(slot), slot.slotId)),
  }
}
