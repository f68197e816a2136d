import { createKeyCheck } from '../../src/access/index.ts'
import { callKinds, projections } from '../../src/features.ts'
import { createDatabase, type Database, type TenantDatabase } from '../../src/platform/db/database.ts'
import { type Caller, isOfInstance } from '../../src/platform/http/caller.ts'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { createTrading, type Trading, type TradingSettings } from '../../src/trading/index.ts'
import { createWritesService } from '../../src/writes/index.ts'
import { BUSY_MACHINE } from '../busy-machine.ts'
import type { TestInstance, World } from '../world.ts'
import { newToken } from './offchain-world.ts'

/** One process that serves the books: a pool of its own, a memory of its own. */
export interface Venue extends Trading {
  readonly database: Database
  /** The caller behind a key, and the rows of its instance. */
  as(instance: TestInstance): Promise<{ caller: Caller; tenant: TenantDatabase }>
  close(): Promise<void>
  /** Leaves everything as it is. */
  kill(): Promise<void>
}

export function startVenue(
  world: World,
  options: { poolSize?: number; databaseUrl?: string } & TradingSettings = {},
): Venue {
  const { poolSize = 6, databaseUrl = world.databaseUrl, ...request } = options
  const database = createDatabase({
    url: databaseUrl,
    poolSize,
    applicationName: 'tally-venue',
    ...BUSY_MACHINE.database,
  })
  const keys = createKeyCheck(database, world.clock)
  const { clock, chains } = world
  const parts = { log: createLog({ level: 'silent' }), clock, random: systemRandom, database, chains }
  const writes = createWritesService({ ...parts, kinds: callKinds, projections })
  const trading = createTrading({ ...parts, ...BUSY_MACHINE.trading, ...request, writes })
  return {
    ...trading,
    database,
    async as({ apiKey }) {
      const caller = await keys.identify({ as: 'key', text: apiKey })
      if (!isOfInstance(caller)) throw new Error('not a key of an instance')
      return { caller, tenant: database.tenant(caller.grant) }
    },
    async close() {
      await trading.units.drain()
      await database.close()
    },
    kill: () => database.close(),
  }
}

/** A pair that several instances open books on. */
export const newPair = () => ({ tokenAddress: newToken(), quoteTokenAddress: newToken() })
