import { randomBytes } from 'node:crypto'

/** Randomness is passed in, never taken from the air. */
export type Random = (size: number) => Buffer

export const systemRandom: Random = (size) => randomBytes(size)
