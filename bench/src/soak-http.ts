import { parseArgs } from 'node:util'
import { countViolations } from './soak/ledger.ts'
import { runSoak } from './soak/run-soak.ts'

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '1000' },
    /** Kills of PostgreSQL, the chain node and the worker; one for every twenty trials when not given. */
    others: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const trials = Number(values.trials)
const otherKills = values.others === undefined ? Math.ceil(trials / 20) : Number(values.others)
const seed = Number(values.seed)
if (![trials, otherKills, seed].every(Number.isSafeInteger))
  throw new Error('--trials, --others and --seed are numbers')

console.log(`soak: ${trials} kills of an API process, ${otherKills} of other parts, seed ${seed}`)
const figures = await runSoak({ trials, otherKills, seed, onProgress: (line) => console.log(`  ${line}`) })
const { violations, otherKills: killed } = figures
console.log(`
trials               ${figures.trials}
other kills          ${killed.postgres} PostgreSQL, ${killed.chain} chain node, ${killed.worker} worker
writes acknowledged  ${figures.acknowledged} (${figures.attempts} requests sent for them)
replays compared     ${figures.replays}
lost                 ${violations.lost.length}
doubled              ${violations.doubled.length}
half-written         ${violations.half.length}
changed replays      ${violations.replay.length}
other violations     ${violations.other.length}
seconds              ${figures.seconds.toFixed(1)} (${(figures.seconds / Math.max(1, trials)).toFixed(2)} per trial)`)
for (const [kind, list] of Object.entries(violations))
  for (const one of (list as string[]).slice(0, 10)) console.log(`  ${kind}: ${one}`)
process.exit(countViolations(violations) === 0 ? 0 : 1)
