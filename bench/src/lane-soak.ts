import { parseArgs } from 'node:util'
import { simulate } from '../../apps/server/test/trading/lane-simulation/simulate.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '10000' }, from: { type: 'string', default: '1' } },
})
const [seeds, from] = [Number(values.seeds), Number(values.from)]
if (!(seeds > 0) || Number.isNaN(from)) {
  console.error('Usage: lane-soak.ts [--seeds N] [--from SEED]')
  process.exit(2)
}

const before = performance.now()
const sum = { orders: 0, groups: 0, epochs: 0, kills: 0, passed: 0, left: 0 }
const failed: number[] = []
for (let seed = from; seed < from + seeds; seed += 1) {
  const { faults, ...counts } = await simulate(seed)
  sum.orders += counts.orders
  sum.groups += counts.groups
  sum.epochs += counts.epochs
  sum.kills += counts.kills
  sum.passed += counts.passed
  sum.left += counts.left
  if (faults.length > 0) {
    failed.push(seed)
    console.log(`seed ${seed} (again with --from ${seed} --seeds 1):\n  ${faults.join('\n  ')}`)
  }
  if ((seed - from + 1) % 1_000 === 0) console.log(`${seed - from + 1} seeds`)
}
const seconds = ((performance.now() - before) / 1000).toFixed(0)
console.log(
  `${seeds} seeds from ${from}: ${sum.orders} orders answered, ${sum.passed} passed on, ${sum.left} lanes left to others, ${sum.groups} groups, ${sum.epochs} epochs, ${sum.kills} kills, ${failed.length} seeds failed, ${seconds} s`,
)
process.exitCode = failed.length === 0 ? 0 : 1
