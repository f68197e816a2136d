import type { UnitRequest } from './group.ts'
import type { UnitMemory } from './unit-memory.ts'

/** Somebody whose request waits for its turn. */
export interface Waiting {
  readonly request: UnitRequest<unknown>
  readonly since: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A matching unit as this process serves it. */
export interface KnownUnit {
  readonly unitId: string
  readonly memory: UnitMemory
  readonly waiting: Waiting[]
  /** Work inside a transaction that is open already. */
  readonly exclusive: (() => Promise<void>)[]
  running: boolean
  /** The how manieth use of any unit it was. */
  lastUse: number
  /** Whose reservations its groups lock, once one of them has told. */
  custody: string | undefined
  /** The instance whose ledger backs it; null: its trades settle on chain. Undefined until it was asked for. */
  laneId: string | null | undefined
  refreshing: Promise<void> | undefined
  snapshotAt: number
}

/** Units that are kept in memory at once. */
const REMEMBERED_UNITS = 1_000

/** The units that this process served last. */
export function createKnownUnits() {
  const units = new Map<string, KnownUnit>()
  let uses = 0

  /** The idle one that was used longest ago. Looked for only when there are too many: to keep them in order would cost every request something. */
  function forgetOldest(): void {
    let oldest: KnownUnit | undefined
    for (const unit of units.values())
      if (!unit.running && unit.lastUse < (oldest?.lastUse ?? Number.POSITIVE_INFINITY)) oldest = unit
    if (oldest) units.delete(oldest.unitId)
  }

  return {
    of(unitId: string): KnownUnit {
      let unit = units.get(unitId)
      if (!unit) {
        unit = {
          unitId,
          memory: { state: undefined },
          waiting: [],
          exclusive: [],
          running: false,
          lastUse: 0,
          custody: undefined,
          laneId: undefined,
          refreshing: undefined,
          snapshotAt: 0,
        }
        if (units.size >= REMEMBERED_UNITS) forgetOldest()
        units.set(unitId, unit)
      }
      uses += 1
      unit.lastUse = uses
      return unit
    },

    ofLane: (laneId: string): KnownUnit[] => [...units.values()].filter((unit) => unit.laneId === laneId),

    forget(unitId: string): void {
      units.delete(unitId)
    },
  }
}
