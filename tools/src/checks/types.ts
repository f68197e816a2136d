import { installedTool } from '../support/run-command.ts'
import { type Check, commandCheck } from './check.ts'

export const types: Check = { name: 'types', run: commandCheck(installedTool('tsc'), ['--noEmit']) }
