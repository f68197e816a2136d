import { type Check, commandCheck } from './check.ts'

export const solidity: Check = {
  name: 'solidity',
  resource: 'forge',
  run: commandCheck('npm', ['run', '--silent', 'check', '--workspace', 'contracts']),
}
