import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import type { AgreedTrades } from '../agreed/index.ts'

export interface RfqParts {
  readonly database: Database
  /** For ids only: deadlines go by the clock of the database. */
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly agreed: AgreedTrades
}
