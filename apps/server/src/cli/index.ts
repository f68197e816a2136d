import { Command } from 'commander'
import type { Config } from '../platform/config.ts'
import { addAccessCommands } from './access-commands.ts'
import { addContractCommands } from './contract-commands.ts'
import { addDataCommands } from './data-commands.ts'

/** The operator's tool. Everything it does goes through the same services as the rest of the product. */
export async function runCli(argv: readonly string[], readConfig: () => Config): Promise<void> {
  const program = new Command('tally').description('Operate a Tallystick deployment').showHelpAfterError()
  addAccessCommands(program, readConfig)
  addContractCommands(program, readConfig)
  addDataCommands(program, readConfig)
  await program.parseAsync([...argv])
}
