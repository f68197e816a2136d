import { invalidParams } from './rpc-fault.ts'

/** Seconds. The clock of a chain: that of the machine, moved ahead by whoever asked for it, and never behind the last block. */
export function createChainClock(startsAt: number, machineSeconds: () => number) {
  let ahead = startsAt - machineSeconds()
  let chosen: number | undefined

  const now = () => machineSeconds() + ahead

  return {
    increase(seconds: number): number {
      ahead += seconds
      return ahead
    },
    chooseNext(seconds: number, last: number): void {
      if (seconds < last) throw invalidParams(`Timestamp error: ${seconds} is lower than previous block's timestamp`)
      chosen = seconds
    },
    ahead: () => ahead,
    /** As far ahead as it was then; nobody has chosen the next second. */
    goBack(to: number): void {
      ahead = to
      chosen = undefined
    },
    /** No block is earlier than the one before it. */
    nextBlock: (last: number): number => Math.max(chosen ?? now(), last),
    /** A block at that second was mined: the clock goes on from there. */
    mined(at: number): void {
      chosen = undefined
      if (at > now()) ahead += at - now()
    },
  }
}

export type ChainClock = ReturnType<typeof createChainClock>
