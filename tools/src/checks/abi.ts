import { installedTool } from '../support/run-command.ts'
import { type Check, commandCheck } from './check.ts'

export const abi: Check = {
  name: 'abi',
  resource: 'compiler',
  run: commandCheck(installedTool('tsx'), ['tools/src/generate-abi.ts', '--check']),
}
