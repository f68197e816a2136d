import type { Database } from '../../platform/db/database.ts'

const CHANNEL = 'tally_units'

/** Says, after a commit and never inside of it, which unit has news: to this process at once, to the others through the database. */
export function createUnitWakes({ signals }: Pick<Database, 'signals'>) {
  const sleepers = new Map<string, () => void>()
  let hush: (() => void) | undefined

  return {
    committed(unitId: string): void {
      sleepers.get(unitId)?.()
      signals.send(CHANNEL, unitId)
    },

    /** One sleeper per unit. Answers how to stop. */
    onNews(unitId: string, wake: () => void): () => void {
      sleepers.set(unitId, wake)
      hush ??= signals.listen(
        CHANNEL,
        (word) => sleepers.get(word)?.(),
        () => {
          for (const one of sleepers.values()) one()
        },
      )
      return () => {
        sleepers.delete(unitId)
        if (sleepers.size > 0) return
        hush?.()
        hush = undefined
      }
    },
  }
}

export type UnitWakes = ReturnType<typeof createUnitWakes>
