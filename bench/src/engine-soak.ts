import { parseArgs } from 'node:util'
import { canonicalText } from '@tallystick/engine'
import { runDifferential } from '@tallystick/engine/testing'
import { seededRandom } from '@tallystick/testkit'

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    'commands-per-unit': { type: 'string', default: '1000' },
  },
})
const [commands, seed, commandsPerUnit] = [values.commands, values.seed, values['commands-per-unit']].map(Number)
if (!commands || seed === undefined || Number.isNaN(seed) || !commandsPerUnit) {
  console.error('Usage: engine-soak.ts [--commands N] [--seed S] [--commands-per-unit M]')
  process.exit(2)
}

const before = performance.now()
const report = runDifferential({
  dice: seededRandom(seed),
  commands,
  commandsPerUnit,
  onProgress: (done) => console.log(`${done} commands`),
})
for (const [kind, times] of [...report.events].sort()) console.log(`${kind.padEnd(36)} ${String(times).padStart(9)}`)
if (report.differences.length > 0) {
  console.log('\nCommands to reproduce:')
  for (const command of report.script) console.log(`  ${canonicalText(command)}`)
  for (const line of report.differences) console.log(`  ${line}`)
}
const seconds = ((performance.now() - before) / 1000).toFixed(0)
console.log(`${report.commands} commands, ${report.differences.length} differences, ${seconds} s, seed ${seed}`)
process.exitCode = report.differences.length === 0 ? 0 : 1
