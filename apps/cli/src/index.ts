import { VERSION } from '@tallystick/server/operator'
import type { Config } from '@tallystick/server/platform'
import { Command, CommanderError } from 'commander'
import { addAccessCommands } from './access-commands.ts'
import { addArchiveCommands } from './archive-commands.ts'
import { addContractCommands } from './contract-commands.ts'
import { addDataCommands } from './data-commands.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import { addMcpCommand, type Environment } from './mcp-command.ts'
import { addRegisterCommands } from './register-commands.ts'
import { addRelayerCommands } from './relayer-commands.ts'
import { addVerifyCommand } from './verify/verify-command.ts'

export { explainFailure } from './failure.ts'

/** Every command, before any is run. */
export function createProgram(readConfig: () => Config, environment: Environment = {}): Command {
  const program = new Command('tally')
    .description('Operate a Tallystick deployment')
    .version(VERSION, '--version', 'the version of this release')
    .helpOption('-h, --help', 'what a command does, and its options')
    .addHelpText('after', '\ntally <command> --help says more. docs/cli.md lists everything.')
    .exitOverride()
    // A wrong call is thrown like every other failure, and reported once, by whoever catches it.
    .configureOutput({ outputError: () => {} })
  addAccessCommands(program, readConfig)
  addArchiveCommands(program, readConfig)
  addContractCommands(program, readConfig)
  addDataCommands(program, readConfig)
  addMcpCommand(program, environment)
  addRegisterCommands(program, readConfig)
  addRelayerCommands(program, readConfig)
  addVerifyCommand(program, readConfig)
  addDoctorCommand(program, readConfig)
  return program
}

/** The group that the words lead to, where they end at one: it does nothing by itself, so its help is what was asked for. */
function groupAt(program: Command, words: readonly string[]): Command | undefined {
  const [first, ...rest] = words
  if (first === undefined) return program.commands.length > 0 ? program : undefined
  const next = program.commands.find((command) => command.name() === first)
  return next && groupAt(next, rest)
}

/** The operator's tool. Everything it does goes through the same services as the rest of the product. */
export async function runCli(
  argv: readonly string[],
  readConfig: () => Config,
  environment: Environment = {},
): Promise<void> {
  const program = createProgram(readConfig, environment)
  const group = groupAt(program, argv.slice(2))
  if (group) return group.outputHelp()
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    // Showing the help or the version is not a failure.
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error
  }
}

/** What a wrong call is answered: a command that does not exist is shown those that do. */
export function helpFor(error: unknown, argv: readonly string[], readConfig: () => Config): string {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownCommand') return ''
  const program = createProgram(readConfig)
  const known = program.commands.find((command) => command.name() === argv[2])
  return `\n${(known ?? program).helpInformation()}`
}
