import { channel } from 'node:diagnostics_channel'

/** Somebody begins to wait for something scarce (1), or has it (-1) after so many seconds. */
export interface Wait {
  readonly what: 'connection' | 'venue connection' | 'aside connection' | 'unit lock' | 'lane lock' | 'journal'
  readonly waiting: 1 | -1
  readonly seconds: number
}

/** Requests join the queue of an order book's unit, or leave it together as a group. */
export interface Queue {
  readonly queued: number
  readonly group: number
}

/** A read that a standby may serve was served. */
export interface Read {
  readonly from: 'standby' | 'primary'
}

// The points where something is measured know nobody who listens, and cost next to nothing while nobody does.
export const waits = channel('tallystick.wait')
export const queues = channel('tallystick.queue')
export const reads = channel('tallystick.read')

/** What is at hand at once was not waited for. */
export function waited<T>(what: Wait['what'], value: T | Promise<T>): T | Promise<T> {
  if (!waits.hasSubscribers || !(value instanceof Promise)) return value
  const since = performance.now()
  waits.publish({ what, waiting: 1, seconds: 0 } satisfies Wait)
  return value.finally(() => {
    waits.publish({ what, waiting: -1, seconds: (performance.now() - since) / 1000 } satisfies Wait)
  })
}

export function queued(count: number): void {
  if (queues.hasSubscribers) queues.publish({ queued: count, group: 0 } satisfies Queue)
}

export function grouped(size: number): void {
  if (queues.hasSubscribers && size > 0) queues.publish({ queued: -size, group: size } satisfies Queue)
}

export function countRead(from: Read['from']): void {
  if (reads.hasSubscribers) reads.publish({ from } satisfies Read)
}
