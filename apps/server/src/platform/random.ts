import { randomBytes } from 'node:crypto'

/** Randomness is passed in, never taken from the air. */
export type Random = (size: number) => Buffer

/** What is asked of the system at once: a call for each of many ids costs more than the ids. */
const RESERVE = 4096

function drawnInAdvance(random: Random): Random {
  let pool: Buffer = Buffer.alloc(0)
  let used = 0
  return (size) => {
    if (size > RESERVE) return random(size)
    if (used + size > pool.length) {
      pool = random(RESERVE)
      used = 0
    }
    used += size
    // Never handed out twice, so whoever gets it may write into it.
    return pool.subarray(used - size, used)
  }
}

export const systemRandom: Random = drawnInAdvance(randomBytes)
