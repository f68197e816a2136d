import { parseArgs } from 'node:util'
import { findOrStartDemo } from './demo/find-or-start.ts'
import { paint } from './tour/paint.ts'
import { endpoints } from './twenty/endpoints.ts'
import { header, linesOf } from './twenty/table.ts'
import { tryEndpoint } from './twenty/try-endpoint.ts'

const { values, positionals } = parseArgs({ options: { at: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.filter((number) => !endpoints.some((one) => one.number === number))
if (unknown.length > 0) {
  console.error(`No endpoint ${unknown.join(', ')}. There are: ${endpoints.map(({ number }) => number).join(' ')}`)
  process.exit(1)
}
const chosen = endpoints.filter(({ number }) => positionals.length === 0 || positionals.includes(number))

const demo = await findOrStartDemo(values.at)
const startedAt = performance.now()
let failed = 0
try {
  console.log(`\n${header}\n`)
  for (const endpoint of chosen) {
    const outcome = await tryEndpoint(endpoint, demo, () =>
      console.log(paint('dim', `${endpoint.number.padEnd(5)} was used shortly before: the demo brings it back…`)),
    )
    for (const line of linesOf(outcome)) console.log(line)
    if (outcome.failure) failed += 1
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(
    `\n${chosen.length - failed} of ${chosen.length} endpoints succeeded in ${seconds} s, at ${demo.file.baseUrl}`,
  )
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await demo.stop()
}
