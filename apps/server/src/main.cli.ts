import { explainFailure, runCli } from './cli/index.ts'
import { parseConfig } from './platform/config.ts'

try {
  await runCli(process.argv, () => parseConfig(process.env))
} catch (error) {
  process.stderr.write(`tally: ${explainFailure(error)}\n`)
  process.exitCode = 1
}
