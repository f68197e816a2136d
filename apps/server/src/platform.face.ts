// What another app takes from the platform.
export { connectChains } from './platform/chain/chains.ts'
export { type Clock, systemClock } from './platform/clock.ts'
export { type Config, parseConfig } from './platform/config.ts'
export { createDatabase, type Database } from './platform/db/database.ts'
export { migrate } from './platform/db/migrate.ts'
export { createLog, type Log } from './platform/log.ts'
export { type Random, systemRandom } from './platform/random.ts'
