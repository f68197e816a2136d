import type { Config } from '@tallystick/server/platform'
import { Command, CommanderError } from 'commander'
import { addAccessCommands } from './access-commands.ts'
import { addContractCommands } from './contract-commands.ts'
import { addDataCommands } from './data-commands.ts'
import { addRegisterCommands } from './register-commands.ts'
import { addRelayerCommands } from './relayer-commands.ts'

export { explainFailure } from './failure.ts'

/** The operator's tool. Everything it does goes through the same services as the rest of the product. */
export async function runCli(argv: readonly string[], readConfig: () => Config): Promise<void> {
  const program = new Command('tally')
    .description('Operate a Tallystick deployment')
    .exitOverride()
    // A wrong call is thrown like every other failure, and told once, by whoever catches it.
    .configureOutput({ outputError: () => {} })
  addAccessCommands(program, readConfig)
  addContractCommands(program, readConfig)
  addDataCommands(program, readConfig)
  addRegisterCommands(program, readConfig)
  addRelayerCommands(program, readConfig)
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    // Showing the help is not a failure.
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error
  }
}
