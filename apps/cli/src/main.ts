import { parseConfig } from '@tallystick/server/platform'
import { CommanderError } from 'commander'
import { explainFailure, helpFor, runCli } from './index.ts'

const readConfig = () => parseConfig(process.env)

try {
  await runCli(process.argv, readConfig, process.env)
} catch (error) {
  process.stderr.write(`tally: ${explainFailure(error)}\n${helpFor(error, process.argv, readConfig)}`)
  // Scripts tell a call that makes no sense from one that could not be carried out.
  process.exitCode = error instanceof CommanderError ? 2 : 1
}
