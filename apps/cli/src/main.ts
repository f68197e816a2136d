import { parseConfig } from '@tallystick/server/platform'
import { explainFailure, runCli } from './index.ts'

try {
  await runCli(process.argv, () => parseConfig(process.env))
} catch (error) {
  process.stderr.write(`tally: ${explainFailure(error)}\n`)
  process.exitCode = 1
}
