import { installedTool } from '../support/run-command.ts'
import { type Check, commandCheck, ROOMY } from './check.ts'

export const unused: Check = { name: 'unused', run: commandCheck(installedTool('knip'), ['--no-progress'], ROOMY) }
