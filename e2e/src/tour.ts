import { parseArgs } from 'node:util'
import { createDemo } from './demo/demo.ts'
import { findOrStartDemo } from './demo/find-or-start.ts'
import { showDemo } from './demo/open-demo.ts'
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

const { file, stop } = await findOrStartDemo(values.at)
const chosen = Object.entries(journeys).filter(([role]) => positionals.length === 0 || positionals.includes(role))
try {
  for (const [place, [role, journey]] of chosen.entries()) {
    const began = performance.now()
    console.log(`\n${paint(['bold', 'inverse'], ` ${place + 1}/${chosen.length} ${role} `)}`)
    showDemo(createDemo(file, createPrinter(console.log)))
    await journey()
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
