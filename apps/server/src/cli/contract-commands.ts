import type { Command } from 'commander'
import type { Hex } from 'viem'
import { createContractsService } from '../operator/index.ts'
import { systemClock } from '../platform/clock.ts'
import { type Config, ConfigError } from '../platform/config.ts'
import { migrate } from '../platform/db/migrate.ts'
import { print } from './print.ts'
import { type Session, withSession } from './session.ts'

async function onlyChain(session: Session, wanted: string | undefined) {
  const { all } = await session.chains()
  const chain =
    wanted === undefined
      ? all.length === 1
        ? all[0]
        : undefined
      : all.find(({ chainId }) => String(chainId) === wanted)
  if (!chain) throw new ConfigError(`Say which chain with --chain: ${all.map(({ chainId }) => chainId).join(', ')}.`)
  return chain
}

export function addContractCommands(program: Command, readConfig: () => Config): void {
  const contracts = program
    .command('contracts')
    .description('Contracts of this deployment: unsigned transactions, records, proof')
  const run = (
    chainId: string | undefined,
    work: (
      service: ReturnType<typeof createContractsService>,
      chain: Awaited<ReturnType<typeof onlyChain>>,
    ) => Promise<unknown>,
  ) =>
    withSession(readConfig(), async (session) => {
      await migrate(session.databaseUrl)
      const chain = await onlyChain(session, chainId)
      print(await work(createContractsService(session.database, { clock: systemClock }), chain))
    })

  contracts
    .command('deploy <name> [args...]')
    .description('The unsigned transaction that creates a contract; arguments as JSON values or plain text')
    .option('--chain <id>')
    .action((name: string, args: string[], { chain }: { chain?: string }) =>
      run(chain, async (service, on) => service.buildDeployment(on, name, args.map(asArgument))),
    )
  contracts
    .command('record <name> <txHash>')
    .description('Take down a contract after proving that its transaction created exactly our code')
    .option('--chain <id>')
    .action((name: string, txHash: string, { chain }: { chain?: string }) =>
      run(chain, (service, on) => service.recordDeployment(on, name, txHash as Hex)),
    )
  contracts
    .command('verify')
    .description('Every recorded contract, and whether code stands there')
    .option('--chain <id>')
    .action(({ chain }: { chain?: string }) => run(chain, (service, on) => service.verify(on)))
}

function asArgument(text: string): unknown {
  if (/^\d+$/.test(text)) return BigInt(text)
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the text itself, as addresses and names are written.
    return text
  }
}
