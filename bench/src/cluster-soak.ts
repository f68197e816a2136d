import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chainScenarios } from './cluster/chain-scenarios.ts'
import { databaseScenarios } from './cluster/database-scenarios.ts'
import { type Load, startLoad } from './cluster/load.ts'
import { restoreScenarios } from './cluster/restore-scenario.ts'
import { type Figures, missedBars, quantile, type Scenario } from './cluster/scenario.ts'
import { serviceScenarios } from './cluster/service-scenarios.ts'
import { type Cluster, startCluster } from './cluster/start-cluster.ts'

// The negative control comes last: what it loses is lost for whoever is asked afterwards.
const { 'cut-primary-local': control, ...ofDatabase } = databaseScenarios
const scenarios: Record<string, Scenario> = {
  ...ofDatabase,
  ...serviceScenarios,
  ...chainScenarios,
  ...restoreScenarios,
  ...(control ? { 'cut-primary-local': control } : {}),
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    times: { type: 'string' },
    /** How long something is stopped, cut off or gone. */
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const chosen = values.only.flatMap((words) => words.split(','))
const strange = chosen.filter((name) => !(name in scenarios))
if (strange.length > 0)
  throw new Error(`The scenarios are ${Object.keys(scenarios).join(', ')}; not: ${strange.join(', ')}`)
const wanted = Object.entries(scenarios).filter(([name]) => chosen.length === 0 || chosen.includes(name))
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
const WARM_UP_MS = 3_000

const shown = (name: string, value: number): string =>
  name.endsWith('Ms')
    ? `${name.slice(0, -2)} ${(value / 1000).toFixed(1)} s`
    : `${name} ${Math.round(value * 1000) / 1000}`

function summary(all: readonly Figures[]): string {
  const names = Object.keys(all[0] ?? {})
  return names
    .map((name) => {
      const values = all.map((figures) => figures[name])
      const [middle, most, worst] = [0.5, 0.95, 1].map((part) => shown(name, quantile(values, part)))
      return all.length === 1 ? worst : `${middle} (p95 ${most}, worst ${worst})`
    })
    .join(', ')
}

async function play(cluster: Cluster, load: Load, name: string, scenario: Scenario): Promise<boolean> {
  const times = values.times === undefined ? scenario.times : Number(values.times)
  console.log(`\n${name}: ${scenario.says}${times > 1 ? `, ${times} times` : ''}`)
  const all: Figures[] = []
  const found: string[] = []
  const before = load.orders()
  /** At once: the rest may take an hour, or not end by itself. */
  const fault = (time: number, says: string) => {
    found.push(says)
    console.log(`  ${time}! ${says}`)
  }
  for (let time = 1; time <= times; time += 1) {
    await sleep(WARM_UP_MS)
    try {
      const figures = await scenario.run({ cluster, load, seconds, say: (line) => console.log(`  ${line}`) })
      all.push(figures)
      if (times > 1) console.log(`  ${time}: ${summary([figures])}`)
      for (const missed of missedBars(scenario.bars, [figures])) console.log(`  ${time}: ${missed}`)
    } catch (error) {
      fault(time, (error as Error).message)
    }
  }
  for (const missed of missedBars(scenario.bars, all)) fault(times, missed)
  await sleep(WARM_UP_MS)
  // A client that is never answered is a fault like any other.
  const faults = await load.audit().catch((error: unknown) => [(error as Error).message])
  const lost = faults.filter((fault) => fault.includes('was acknowledged and is lost'))
  const isGood = scenario.mustLose ? lost.length > 0 : found.length + faults.length === 0
  if (!scenario.mustLose) for (const one of faults.slice(0, 12)) console.log(`  ! ${one}`)
  const told = `${load.orders() - before} orders acknowledged, ${lost.length} lost`
  console.log(
    `  ${isGood ? 'ok' : 'FAILED'}: ${told}${scenario.mustLose ? ' (it must lose some)' : `, audit: ${faults.length} faults`}; ${summary(all)}; load average ${loadavg()[0]?.toFixed(1)}`,
  )
  return isGood
}

console.log(`cluster: ${wanted.map(([name]) => name).join(', ')}; seed ${seed}`)
const cluster = await startCluster({ say: (line) => console.log(`  ${line}`), settings: { FOLLOW_INTERVAL_MS: '200' } })
let failed = 0
try {
  const load = await startLoad(cluster, seed)
  for (const [name, scenario] of wanted) if (!(await play(cluster, load, name, scenario))) failed += 1
  for (const { ownDeaths } of [...cluster.apis, ...cluster.workers])
    for (const death of ownDeaths) {
      console.log(`! ${death}`)
      failed += 1
    }
  const { answered, failed: unanswered } = load.standbyReads()
  console.log(
    `\n${load.orders()} orders and ${load.writes()} writes with keys acknowledged, ${load.confirms.confirmed.size} deposits confirmed, streams opened ${load.streams()} times, ${answered} reads of standbys answered and ${unanswered} not`,
  )
  await load.stop()
} finally {
  await cluster.stop()
}
console.log(`${wanted.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
