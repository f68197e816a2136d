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
  /** The most that a figure may be. */
  readonly bars: Figures
  /** How often, unless asked otherwise. */
  readonly times: number
  /** What acknowledged work may be missing: nothing, but in the negative control, where something must. */
  readonly mustLose?: boolean
  run(stage: Stage): Promise<Figures>
}

/** What was worse than its bar. */
export const missedBars = (bars: Figures, figures: Figures): string[] =>
  Object.entries(bars)
    .filter(([name, most]) => !((figures[name] ?? Number.POSITIVE_INFINITY) <= most))
    .map(([name, most]) => `${name} is ${figures[name]}, and ${most} at most was wanted`)
