import type { Order } from './order.ts'

/** Characters of an id that are looked at to find its place; ids differ most at their ends. */
const LOOKED_AT = 12
const SMALLEST = 64
const FREE = 0

/** Never 0, which marks a free place. */
export function hashOf(id: string): number {
  let hash = id.length
  for (let index = Math.max(0, hash - LOOKED_AT), end = hash; index < end; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) | 0x40000000
}

/**
 * Orders by id. A Map would do; but on its way it reads the ids of strangers, which lie all over the memory, and that
 * costs as much as everything else that is done to an order. Here, the hashes lie side by side.
 */
export function createOrderTable() {
  let mask = SMALLEST - 1
  let hashes = new Int32Array(SMALLEST)
  let orders: (Order | null)[] = new Array(SMALLEST).fill(null)
  let size = 0

  /** Where the id is, or the free place where it would go. */
  function placeOf(id: string, hash: number): number {
    let place = hash & mask
    for (let found = hashes[place]; found !== FREE; found = hashes[place]) {
      if (found === hash && orders[place]?.id === id) return place
      place = (place + 1) & mask
    }
    return place
  }

  function put(order: Order): void {
    const place = placeOf(order.id, order.hash)
    hashes[place] = order.hash
    orders[place] = order
  }

  function grow(): void {
    const old = orders
    const length = old.length * 2
    mask = length - 1
    hashes = new Int32Array(length)
    orders = new Array(length).fill(null)
    for (const order of old) if (order) put(order)
  }

  /** Closes the gap at a place, so that nobody who was pushed on by it is lost. */
  function close(gap: number): void {
    let free = gap
    let place = (gap + 1) & mask
    for (let hash = hashes[place]; hash !== undefined && hash !== FREE; hash = hashes[place]) {
      const isPushedOn = ((place - hash) & mask) >= ((place - free) & mask)
      if (isPushedOn) {
        orders[free] = orders[place] ?? null
        hashes[free] = hash
        free = place
      }
      place = (place + 1) & mask
    }
    orders[free] = null
    hashes[free] = FREE
  }

  return {
    find(id: string, hash = hashOf(id)): Order | null {
      return orders[placeOf(id, hash)] ?? null
    },

    /** The caller has looked: its id is not in here. */
    add(order: Order): void {
      if (size * 2 >= orders.length) grow()
      size += 1
      put(order)
    },

    /** The order is in here. */
    remove(order: Order): void {
      size -= 1
      let place = order.hash & mask
      while (orders[place] !== order) place = (place + 1) & mask
      close(place)
    },

    all(): Order[] {
      return orders.filter((order) => order !== null)
    },
  }
}

export type OrderTable = ReturnType<typeof createOrderTable>
