import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { purgeExpired } from './housekeeping.store.ts'

export const keepHouse = (database: Database, clock: Clock): Promise<number> =>
  database.as('tally_operator', (sql) => purgeExpired(sql, clock.now()))
