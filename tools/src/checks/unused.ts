import { installedTool, roomyNode } from '../support/run-command.ts'
import { type Check, commandCheck } from './check.ts'

export const unused: Check = {
  name: 'unused',
  run: commandCheck(installedTool('knip'), ['--no-progress'], roomyNode()),
}
