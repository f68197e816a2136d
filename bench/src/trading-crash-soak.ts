import { parseArgs } from 'node:util'
import { runOrderCrashes } from './trading/run-crashes.ts'

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '1000' },
    /** Kills of PostgreSQL; one for every fifty trials when not given. */
    database: { type: 'string' },
    /** The servers do not know each other: each serves what comes to it. */
    alone: { type: 'boolean', default: false },
    /** One of them speaks HTTP only, and passes all orders on. */
    front: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const trials = Number(values.trials)
const databaseKills = values.database === undefined ? Math.ceil(trials / 50) : Number(values.database)
const seed = Number(values.seed)
if (![trials, databaseKills, seed].every(Number.isSafeInteger))
  throw new Error('--trials, --database and --seed are numbers')

const kinds = {
  peers: 'servers that know each other',
  alone: 'servers that do not know each other',
  front: 'one that matches and one that speaks HTTP',
}
const servers = values.front ? 'front' : values.alone ? 'alone' : 'peers'
console.log(
  `order flow: ${trials} kills of an API process, ${databaseKills} of PostgreSQL, ${kinds[servers]}, seed ${seed}`,
)
const figures = await runOrderCrashes({
  trials,
  databaseKills,
  seed,
  servers,
  onProgress: (line) => console.log(`  ${line}`),
})
console.log(`
orders acknowledged  ${figures.acknowledged} (${figures.attempts} requests; ${figures.foundAgain} found again by their client's name)
orders refused       ${figures.refused}
trades               ${figures.trades}
streams              ${figures.streams} times opened
seconds              ${figures.seconds.toFixed(0)}
violations           ${figures.violations.length}`)
for (const violation of figures.violations.slice(0, 20)) console.log(`  ${violation}`)
process.exitCode = figures.violations.length === 0 ? 0 : 1
