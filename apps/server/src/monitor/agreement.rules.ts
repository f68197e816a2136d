import type { Verdict } from './invariant.rules.ts'

export const keyOf = ({ contract, invariant }: Pick<Verdict, 'contract' | 'invariant'>) => `${contract} ${invariant}`

/** By promise: the block at which a look contradicted what is known of it. */
export type Suspicions = ReadonlyMap<string, string>

export interface Weighed {
  /** What two looks at two different blocks agree on, against what was known. */
  readonly changes: readonly Verdict[]
  readonly suspicions: Suspicions
  /** Suspicions that this look contradicted. */
  readonly dismissed: number
}

/**
 * One look can be mistaken: a node may show a part of one block and a part of the next. Whoever is woken by it would soon not get up any
 * more. `known` holds the promises that are known to be broken.
 */
export function weigh(
  known: ReadonlySet<string>,
  suspicions: Suspicions,
  block: string,
  verdicts: readonly Verdict[],
): Weighed {
  const left = new Map(suspicions)
  const changes: Verdict[] = []
  let dismissed = 0
  for (const verdict of verdicts) {
    const key = keyOf(verdict)
    const seenAt = left.get(key)
    if ((verdict.broken !== null) === known.has(key)) {
      if (left.delete(key)) dismissed += 1
    } else if (seenAt === undefined) left.set(key, block)
    else if (seenAt !== block) {
      left.delete(key)
      changes.push(verdict)
    }
  }
  return { changes, suspicions: left, dismissed }
}
