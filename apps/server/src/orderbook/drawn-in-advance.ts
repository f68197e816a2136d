import type { Random } from '../platform/random.ts'

/** The same randomness, drawn in larger pieces: a call to the system for each of many ids costs more than the ids. */
export function drawnInAdvance(random: Random, reserve = 4096): Random {
  let pool: Buffer = Buffer.alloc(0)
  let used = 0
  return (size) => {
    if (size > reserve) return random(size)
    if (used + size > pool.length) {
      pool = random(reserve)
      used = 0
    }
    used += size
    // Never handed out twice, so whoever gets it may write into it.
    return pool.subarray(used - size, used)
  }
}
