import { isLive, type Order } from './order.ts'

const FEW = 16

const momentOf = (order: Order): number => order.terms.expiresAt

const isSooner = (a: Order, b: Order): boolean =>
  momentOf(a) < momentOf(b) || (momentOf(a) === momentOf(b) && a.born < b.born)

/** Orders by the moment they expire. Those that ended before stay in until they come up or are the greater part. */
export function createExpiryQueue() {
  let heap: Order[] = []
  let ended = 0

  function swap(a: number, b: number): void {
    const [first, second] = [heap[a], heap[b]]
    if (first && second) [heap[a], heap[b]] = [second, first]
  }

  function isSoonerAt(a: number, b: number): boolean {
    const [first, second] = [heap[a], heap[b]]
    return first !== undefined && second !== undefined && isSooner(first, second)
  }

  function rise(from: number): void {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1
      if (!isSoonerAt(index, parent)) return
      swap(index, parent)
      index = parent
    }
  }

  function sink(from: number): void {
    for (let index = from; ; ) {
      const left = index * 2 + 1
      const child = isSoonerAt(left + 1, left) ? left + 1 : left
      if (!isSoonerAt(child, index)) return
      swap(index, child)
      index = child
    }
  }

  function takeFirst(): void {
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    sink(0)
  }

  return {
    add(order: Order): void {
      heap.push(order)
      rise(heap.length - 1)
    },

    /** Takes out the order that expires first, if it does so by now. */
    nextDue(now: number): Order | null {
      if (heap.length === 0) return null
      for (let first = heap[0]; first && momentOf(first) <= now; first = heap[0]) {
        takeFirst()
        if (isLive(first)) return first
        ended -= 1
      }
      return null
    },

    /** When the next live order expires. Forgets, on its way, those that ended before. */
    nextMoment(): number | null {
      for (let first = heap[0]; first; first = heap[0]) {
        if (isLive(first)) return momentOf(first)
        takeFirst()
        ended -= 1
      }
      return null
    },

    /** An order that is in here has ended otherwise. */
    noteEnded(): void {
      ended += 1
      if (ended <= FEW || ended * 2 <= heap.length) return
      heap = heap.filter(isLive).sort((a, b) => (isSooner(a, b) ? -1 : 1))
      ended = 0
    },
  }
}

export type ExpiryQueue = ReturnType<typeof createExpiryQueue>
