import type { SeededRandom } from '@tallystick/testkit'

/** Time that passes only from one event to the next. What happens at the same moment happens in an order that the seed decides. */
export function createScheduler(random: SeededRandom) {
  const events: { at: number; rank: number; work: () => void }[] = []
  let now = 0

  function takeNext() {
    let next = 0
    for (let index = 1; index < events.length; index += 1) {
      const [one, best] = [events[index], events[next]]
      if (one && best && (one.at < best.at || (one.at === best.at && one.rank < best.rank))) next = index
    }
    const [found] = events.splice(next, 1)
    return found
  }

  return {
    elapsed: () => now,
    after(milliseconds: number, work: () => void): void {
      events.push({ at: now + milliseconds, rank: random.next(), work })
    },
    /** Until nothing is left to happen, or the time is over. */
    async run(until: number): Promise<void> {
      for (;;) {
        const next = takeNext()
        if (!next) return
        if (next.at > until) {
          events.push(next)
          return
        }
        now = next.at
        next.work()
        // Whoever waited for it goes on, to its next wait.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

export type Scheduler = ReturnType<typeof createScheduler>
