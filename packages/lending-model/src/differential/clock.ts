export type Clock = ReturnType<typeof createClock>

/** The seconds in which blocks are mined, the same in every run. */
export function createClock(start: bigint) {
  let now = start

  function advance(seconds: bigint): bigint {
    now += seconds
    return now
  }

  return { advance, tick: () => advance(1n), now: () => now }
}
