/** Time is passed in, never taken from the air. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
