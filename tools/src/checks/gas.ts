import { installedTool } from '../support/run-command.ts'
import { type Check, commandCheck } from './check.ts'

export const gas: Check = {
  name: 'gas',
  // After the check `solidity` everything is compiled: only the measuring is left.
  resource: 'compiler',
  run: commandCheck(installedTool('tsx'), ['bench/src/gas.ts', '--check']),
}
