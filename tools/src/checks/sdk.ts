import { installedTool } from '../support/run-command.ts'
import { type Check, commandCheck } from './check.ts'

export const sdk: Check = {
  name: 'sdk',
  run: commandCheck(installedTool('tsx'), ['tools/src/generate-sdk.ts', '--check']),
}
