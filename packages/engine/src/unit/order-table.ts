import type { Order } from './order.ts'

const SMALLEST = 64
const FREE = 0

/** Four characters in one word. The last one lowest, where it moves every bit of a product: ids differ most at their ends. */
const wordBefore = (id: string, end: number): number =>
  id.charCodeAt(end - 1) |
  (id.charCodeAt(end - 2) << 8) |
  (id.charCodeAt(end - 3) << 16) |
  (id.charCodeAt(end - 4) << 24)

/** Of the last eight characters. Never 0, which marks a free place. */
export function hashOf(id: string): number {
  const { length } = id
  let hash = length
  if (length >= 8)
    hash = Math.imul(wordBefore(id, length), 0x9e3779b1) ^ Math.imul(wordBefore(id, length - 4), 0x85ebca6b)
  else for (let index = 0; index < length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x9e3779b1)
  return (hash ^ (hash >>> 15)) | 0x40000000
}

/**
 * Orders by id. A Map would do; but on its way it reads the ids of strangers, which lie all over the memory, and that
 * costs as much as everything else that is done to an order. Here, the hashes lie side by side.
 */
export class OrderTable {
  private mask = SMALLEST - 1
  private hashes = new Int32Array(SMALLEST)
  private orders: (Order | null)[] = new Array(SMALLEST).fill(null)
  private size = 0

  find(id: string, hash = hashOf(id)): Order | null {
    const { hashes, orders, mask } = this
    let place = hash & mask
    for (let found = hashes[place]; found !== FREE; found = hashes[place]) {
      const order = found === hash ? orders[place] : null
      if (order && order.id === id) return order
      place = (place + 1) & mask
    }
    return null
  }

  /** The caller has looked: its id is not in here. */
  add(order: Order): void {
    if (this.size * 2 >= this.orders.length) this.grow()
    this.size += 1
    this.put(order)
  }

  /** The order is in here. */
  remove(order: Order): void {
    const { orders, mask } = this
    let place = order.hash & mask
    while (orders[place] !== order) place = (place + 1) & mask
    this.size -= 1
    this.close(place)
  }

  count(): number {
    return this.size
  }

  all(): Order[] {
    return this.orders.filter((order) => order !== null)
  }

  private put(order: Order): void {
    const { hashes, mask } = this
    let place = order.hash & mask
    while (hashes[place] !== FREE) place = (place + 1) & mask
    hashes[place] = order.hash
    this.orders[place] = order
  }

  private grow(): void {
    const old = this.orders
    const length = old.length * 2
    this.mask = length - 1
    this.hashes = new Int32Array(length)
    this.orders = new Array(length).fill(null)
    for (const order of old) if (order) this.put(order)
  }

  /** Closes the gap at a place, so that nobody who was pushed on by it is lost. */
  private close(gap: number): void {
    const { hashes, orders, mask } = this
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
}
