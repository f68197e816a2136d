import { installedTool } from '../support/run-command.ts'
import { type Check, commandCheck } from './check.ts'

export const biome: Check = { name: 'biome', run: commandCheck(installedTool('biome'), ['ci', '--colors=off', '.']) }
