import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runDifferential, type Script, type Step } from '@tallystick/lending-model'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    'steps-per-market': { type: 'string', default: '400' },
    /** Of the seed; the markets before it are left out. */
    market: { type: 'string', default: '0' },
    /** A file of steps, one JSON object per line, for one market of its own. */
    script: { type: 'string' },
  },
})
const [steps, seed, stepsPerMarket] = [values.steps, values.seed, values['steps-per-market']].map(Number)
if (!steps || seed === undefined || Number.isNaN(seed) || !stepsPerMarket) {
  console.error(
    'Usage: lending-model-soak.ts [--steps N] [--seed S] [--steps-per-market M] [--market K] [--script FILE]',
  )
  process.exit(2)
}

const report = await runDifferential({
  steps,
  seed,
  stepsPerMarket,
  firstMarket: Number(values.market),
  script: values.script === undefined ? undefined : readScript(values.script),
  onProgress: (done) => console.log(`${done} steps`),
})

for (const [name, { done, refusals }] of [...report.perStep].sort()) {
  const reasons = [...refusals].map(([reason, times]) => `${reason} ${times}`).join(', ')
  console.log(`${name.padEnd(26)} ${String(done).padStart(6)} done  ${reasons && `refused: ${reasons}`}`)
}
for (const [pair, times] of report.otherReasons) console.log(`refused by both for other reasons, ${times} x ${pair}`)
for (const { market, stepsOnMarket, found } of report.differences) {
  console.log(`\nDifference on market ${market} of seed ${seed}, step ${stepsOnMarket.length}:`)
  for (const line of found) console.log(`  ${line}`)
  console.log('Steps to reproduce:')
  for (const step of stepsOnMarket) console.log(`  ${JSON.stringify(step, (_, value) => shown(value))}`)
}
const perSecond = (report.steps / report.seconds).toFixed(1)
console.log(
  `${report.steps} steps (${report.refused} refused by both), ${report.figures} figures compared, ` +
    `${report.differences.length} differences, ${perSecond} steps per second, seed ${seed}`,
)
process.exitCode = report.differences.length === 0 ? 0 : 1

function shown(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

/** Numbers are written as strings of digits. A first line without a step says what is not plain about the market. */
function readScript(file: string): Script {
  const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\d+$/.test(value)
  const lines = readFileSync(file, 'utf8').split('\n')
  const objects = lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line, (_, value) => (isNumber(value) ? BigInt(value) : value)) as Step | Script['market'])
  const isStep = (object: Step | Script['market']): object is Step => 'name' in object
  const [first = {}] = objects
  return { market: isStep(first) ? {} : first, steps: objects.filter(isStep) }
}
