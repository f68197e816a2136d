import type { Hex } from './hex.ts'
import type { AccountChange, Changes } from './world-state.ts'

/** What undoes the newest entries, newest last: a block, or a change made without one. */
interface UndoEntry {
  block: number | null
  undo: Changes[]
}

/** What was, where an entry tells it: null when there was no such account, undefined where no entry speaks of it. */
export interface Before {
  field(address: Hex, name: 'balance' | 'nonce' | 'code'): Hex | null | undefined
  slot(address: Hex, slot: Hex): Hex | null | undefined
}

export function createUndoLog(most: number) {
  let entries: UndoEntry[] = []
  let forgotten = 0
  let pinned: number | undefined

  return {
    add(block: number | null, undo: Changes[]): void {
      entries.push({ block, undo })
      if (entries.length < most * 2) return
      const abovePinned = entries.findIndex(
        ({ block }) => block !== null && block > (pinned ?? Number.POSITIVE_INFINITY),
      )
      const tooMany = entries.length - most
      const dropped = abovePinned < 0 ? tooMany : Math.min(tooMany, abovePinned)
      forgotten += dropped
      entries = entries.slice(dropped)
    },
    /** What was after that block stays known, until another one is pinned. */
    pin(block: number): void {
      pinned = block
    },
    /** Grows with every entry, shrinks with every undo. */
    mark: () => forgotten + entries.length,
    /** How many entries have to go until block `target` is the newest; undefined when that is out of reach. */
    entriesAbove(target: number): number | undefined {
      const first = entries.findIndex(({ block }) => block !== null && block > target)
      if (first < 0) return 0
      const isNext = entries[first]?.block === target + 1
      return isNext ? entries.length - first : undefined
    },
    canUndo: (count: number) => count <= entries.length,
    /** The newest entry and what undoes it, the last change first. */
    pop(): { block: number | null; undo: Changes[] } | undefined {
      const entry = entries.pop()
      return entry && { block: entry.block, undo: entry.undo.toReversed() }
    },
    /** What was before the blocks above `number`; undefined when that is out of reach. */
    before(number: number): Before | undefined {
      const first = entries.findIndex(({ block }) => block !== null && block > number)
      if (first < 0) return { field: () => undefined, slot: () => undefined }
      if (entries[first]?.block !== number + 1) return undefined
      const later = entries.slice(first).flatMap(({ undo }) => undo)
      const earliest = (address: Hex, told: (account: AccountChange) => Hex | undefined): Hex | null | undefined => {
        for (const { [address]: account } of later) {
          if (account === null) return null
          const value = account && told(account)
          if (value !== undefined) return value
        }
        return undefined
      }
      return {
        field: (address, name) => earliest(address, (account) => account[name]),
        slot: (address, slot) => earliest(address, ({ storage }) => storage?.[slot]),
      }
    },
  }
}
