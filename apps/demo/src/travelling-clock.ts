import type { Clock } from '@tallystick/server/platform'

export interface TravellingClock extends Clock {
  /** Stands still at this moment until it is told another one, or to come back. */
  travelTo(moment: Date): void
  comeBack(): void
}

/** So that a demo can have a past: what is done while the clock is back was done then. */
export function createTravellingClock(present: Clock): TravellingClock {
  let moment: Date | undefined
  return {
    now: () => moment ?? present.now(),
    travelTo(to) {
      moment = to
    },
    comeBack() {
      moment = undefined
    },
  }
}
