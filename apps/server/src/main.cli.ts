import { runCli } from './cli/index.ts'
import { parseConfig } from './platform/config.ts'
import { explainStartFailure } from './start-failure.ts'

try {
  await runCli(process.argv, () => parseConfig(process.env))
} catch (error) {
  process.stderr.write(`tally: ${explainStartFailure(error)}\n`)
  process.exitCode = 1
}
