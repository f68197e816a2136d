import { parseArgs } from 'node:util'
import { createDemo } from './demo/demo.ts'
import { findDemo, type RunningDemo, startDemo } from './demo/start-demo.ts'
import { journeys } from './journeys/index.ts'
import { paint } from './tour/paint.ts'
import { createPrinter } from './tour/print.ts'

const { values, positionals } = parseArgs({ options: { at: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.filter((role) => !journeys[role])
if (unknown.length > 0) {
  console.error(`No journey of ${unknown.join(', ')}. There are: ${Object.keys(journeys).join(', ')}`)
  process.exit(1)
}

const startedAt = performance.now()
const secondsSince = (then: number) => `${((performance.now() - then) / 1000).toFixed(1)} s`

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())

async function demoToTour(): Promise<RunningDemo> {
  const running = await findDemo(values.at)
  if (running) {
    interrupted.signal.addEventListener('abort', () => process.exit(130))
    return running
  }
  if (values.at) throw new Error(`no demo answers at what ${values.at} says; start one with npm start`)
  console.log('No demo runs: starting one in a temporary folder…')
  const started = await startDemo(interrupted.signal)
  console.log(`Ready after ${secondsSince(startedAt)}.`)
  return started
}

const { file, stop } = await demoToTour()
const chosen = Object.entries(journeys).filter(([role]) => positionals.length === 0 || positionals.includes(role))
try {
  for (const [place, [role, journey]] of chosen.entries()) {
    const began = performance.now()
    console.log(`\n${paint(['bold', 'inverse'], ` ${place + 1}/${chosen.length} ${role} `)}`)
    await journey(createDemo(file, createPrinter(console.log)))
    console.log(paint('dim', `\n  ${secondsSince(began)}`))
  }
  console.log(
    `\n${chosen.length} of ${chosen.length} journeys in ${secondsSince(startedAt)}, guides: ${file.baseUrl}/docs`,
  )
} catch (error) {
  console.error(paint('red', '\nThe tour ended early:'), error instanceof Error ? error.stack : error)
  process.exitCode = 1
} finally {
  await stop()
}
