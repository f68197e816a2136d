interface Waiting<Q, A> {
  readonly request: Q
  readonly resolve: (value: A) => void
  readonly reject: (error: unknown) => void
}

interface Line<Q, A> {
  readonly waiting: Waiting<Q, A>[]
  underWay: number
}

export interface GatheringBounds {
  /** Requests that go together. */
  readonly most: number
  /** Groups of one line that are under way at once. */
  readonly atOnce: number
}

/**
 * Requests of one line that come while others of it are under way go together as the next group, so that what all of them have to know is asked
 * once. One that finds nobody before it goes alone and at once. `perform` says what became of each; what it throws is told to all.
 */
export function createGathering<Q, A>(
  { most, atOnce }: GatheringBounds,
  perform: (requests: readonly Q[]) => Promise<readonly PromiseSettledResult<A>[]>,
) {
  const lines = new Map<string, Line<Q, A>>()

  async function serve(group: readonly Waiting<Q, A>[]): Promise<void> {
    try {
      const outcomes = await perform(group.map(({ request }) => request))
      group.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]
        if (outcome?.status === 'fulfilled') resolve(outcome.value)
        else reject(outcome?.reason ?? new Error('a request got no outcome'))
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function drain(name: string, line: Line<Q, A>): Promise<void> {
    if (line.underWay >= atOnce) return
    line.underWay += 1
    while (line.waiting.length > 0) await serve(line.waiting.splice(0, most))
    line.underWay -= 1
    if (line.underWay === 0) lines.delete(name)
  }

  /** Answers what became of the request. */
  return (name: string, request: Q): Promise<A> =>
    new Promise((resolve, reject) => {
      const line = lines.get(name) ?? { waiting: [], underWay: 0 }
      lines.set(name, line)
      line.waiting.push({ request, resolve, reject })
      void drain(name, line)
    })
}
