import { installedTool } from '../support/run-command.ts'
import { type Check, commandCheck } from './check.ts'

export const docs: Check = {
  name: 'docs',
  run: commandCheck(installedTool('tsx'), ['tools/src/generate-docs.ts', '--check']),
}
