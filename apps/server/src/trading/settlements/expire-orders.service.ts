import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { UnitsService } from '../unit/index.ts'
import { listUnitsWithDueOrders } from './due-orders.store.ts'

/** Units that one turn serves; what is left comes with the next. */
const PER_TURN = 1_000

/**
 * Ends orders whose signature has run out in units that nobody trades in: in the others the next command does it. What they had reserved is
 * free with them.
 */
export function createExpirySweep({
  database,
  clock,
  units,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly units: UnitsService
}) {
  return {
    async sweep(): Promise<void> {
      const due = await database.as('tally_operator', (sql) => listUnitsWithDueOrders(sql, clock.now(), PER_TURN))
      for (const { unitId } of due) await units.expireDue(unitId)
    },
  }
}

export type ExpirySweep = ReturnType<typeof createExpirySweep>
