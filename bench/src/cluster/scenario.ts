import type { Load } from './load.ts'
import type { Cluster } from './start-cluster.ts'

export interface Stage {
  readonly cluster: Cluster
  readonly load: Load
  /** Seconds for which something is stopped, cut off or gone. */
  readonly seconds: number
  readonly say: (line: string) => void
}

/** Figures of one time, by name; milliseconds where the name ends in `Ms`. */
export type Figures = Readonly<Record<string, number>>

export interface Scenario {
  readonly says: string
  /** The most that a figure may be, of nineteen times in twenty. */
  readonly bars: Figures
  /** How often, unless asked otherwise. */
  readonly times: number
  /** What acknowledged work may be missing: nothing, but in the negative control, where something must. */
  readonly mustLose?: boolean
  run(stage: Stage): Promise<Figures>
}

/** The best value that at least such a part of them is no worse than. What was not measured is worse than anything. */
export function quantile(values: readonly (number | undefined)[], part: number): number {
  const known = values.map((value) => (value === undefined || Number.isNaN(value) ? Number.POSITIVE_INFINITY : value))
  return known.sort((a, b) => a - b)[Math.ceil(known.length * part) - 1] ?? Number.POSITIVE_INFINITY
}

const MOST_TIMES = 0.95

/** What was worse than its bar in more than one of twenty times; of fewer times, in any. */
export const missedBars = (bars: Figures, times: readonly Figures[]): string[] =>
  Object.entries(bars).flatMap(([name, most]) => {
    const reached = quantile(
      times.map((figures) => figures[name]),
      MOST_TIMES,
    )
    return reached <= most ? [] : [`${name} is ${reached}, and ${most} at most was wanted`]
  })
