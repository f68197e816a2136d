import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import type { WritesService } from '../writes/index.ts'
import type { UnitsService } from './unit/index.ts'

export interface TradingParts {
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly database: Database
  readonly units: UnitsService
  readonly chains: Chains
  readonly writes: WritesService
}
