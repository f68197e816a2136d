import { createContractsService, createSuitesService } from '@tallystick/server/operator'
import { type Chain, type Config, ConfigError, parseAddress, systemClock } from '@tallystick/server/platform'
import type { Command } from 'commander'
import { type Address, type Hex, zeroAddress } from 'viem'
import { type ListingOptions, listing, print, printRows } from './print.ts'
import { type Session, withSession } from './session.ts'
import { column } from './table.ts'

type Verified = Awaited<ReturnType<ReturnType<typeof createContractsService>['verify']>>[number]
type Recorded = Pick<Verified, 'name' | 'address'>

const recordColumns = [column<Recorded>('CONTRACT', 'name'), column<Recorded>('ADDRESS', 'address')]
const verifiedColumns = [
  ...recordColumns,
  column<Verified>('HAS CODE', 'hasCode'),
  column<Verified>('IS OURS', 'isOurs'),
]
const NONE = 'No contract is on record.'

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

function address(text: string): Address {
  const parsed = parseAddress(text)
  if (!parsed || parsed === zeroAddress) throw new ConfigError(`This is no address that anybody has: "${text}".`)
  return parsed
}

interface DeployOptions {
  readonly chain?: string
  readonly owner?: Address
  readonly platformWallet?: Address
  readonly operator?: Address
  readonly feeRecipient?: Address
  readonly replace: boolean
}

interface Services {
  readonly contracts: ReturnType<typeof createContractsService>
  readonly suites: ReturnType<typeof createSuitesService>
}

function deploy({ contracts, suites }: Services, chain: Chain, name: string, args: string[], options: DeployOptions) {
  const { owner, platformWallet, replace } = options
  if (name === 'lending') {
    if (!owner || !platformWallet) throw new ConfigError('Lending needs --owner and --platform-wallet.')
    return suites.deployLending(chain, { owner, platformWallet, replace })
  }
  if (name === 'stocks') {
    if (!owner) throw new ConfigError('Stocks need --owner.')
    return suites.deployStocks(chain, { owner, replace })
  }
  if (name === 'trading') {
    const { operator, feeRecipient } = options
    if (!owner || !operator || !feeRecipient)
      throw new ConfigError('Trading needs --owner, --operator and --fee-recipient.')
    return suites.deployTrading(chain, { admin: owner, operator, feeRecipient, replace })
  }
  if (name === 'lending-implementations') {
    if (!platformWallet) throw new ConfigError('New implementations need --platform-wallet.')
    return suites.deployImplementations(chain, { platformWallet })
  }
  return contracts.buildDeployment(chain, name, args.map(asArgument))
}

export function addContractCommands(program: Command, readConfig: () => Config): void {
  const contracts = program
    .command('contracts')
    .description('Contracts of this deployment: unsigned transactions, records, proof')
  const run = <T>(
    chainId: string | undefined,
    work: (services: Services, chain: Chain) => T | Promise<T>,
    use: 'to read' | 'to change' = 'to change',
  ) =>
    withSession(readConfig(), async (session) => {
      await session.prepare(use)
      const chain = await onlyChain(session, chainId)
      const services = {
        contracts: createContractsService(session.database, { clock: systemClock }),
        suites: createSuitesService(session.database, { clock: systemClock }),
      }
      return work(services, chain)
    })

  contracts
    .command('deploy <name> [args...]')
    .description(
      'The unsigned transaction that creates a contract, arguments as JSON values or plain text; or, for "lending", "lending-implementations", "stocks" and "trading", those that are missing, and the record once none is',
    )
    .option('--chain <id>', 'which chain, where there are several')
    .option('--owner <address>', 'lending, stocks: owns the factory; trading: administers the vaults', address)
    .option('--platform-wallet <address>', 'lending: gets the infrastructure fee', address)
    .option('--operator <address>', 'trading: sends settlements of the vaults', address)
    .option('--fee-recipient <address>', 'trading: gets the fees of trades in the vaults', address)
    .option('--replace', 'lending, stocks, trading: forget another factory or vault that is on record', false)
    .action(async (name: string, args: string[], options: DeployOptions) => {
      print(await run<unknown>(options.chain, (services, chain) => deploy(services, chain, name, args, options)))
    })
  contracts
    .command('record <name> <txHash-or-address>')
    .description(
      'Take down a contract after proving that its transaction created exactly our code; or, by its address, a factory, registry, vault or settlement of this release or an earlier one, with what it runs on',
    )
    .option('--chain <id>', 'which chain, where there are several')
    .option('--replace', 'by address: forget another one that is on record', false)
    .action(async (name: string, text: string, { chain, replace }: { chain?: string; replace: boolean }) => {
      const standing = parseAddress(text)
      const recorded = await run<unknown>(chain, (services, on) =>
        standing
          ? services.suites.recordStanding(on, name, standing, { replace })
          : services.contracts.recordDeployment(on, name, text as Hex),
      )
      print(recorded)
    })
  contracts
    .command('set-implementation <kind> <address>')
    .description('The unsigned call by which the factory serves a newer implementation; its record once it does')
    .option('--chain <id>', 'which chain, where there are several')
    .action(async (kind: string, text: string, { chain }: { chain?: string }) => {
      const implementation = address(text)
      print(await run(chain, (services, on) => services.suites.setImplementation(on, kind, implementation)))
    })
  listing(contracts.command('list').description('Every recorded contract'))
    .option('--chain <id>', 'which chain, where there are several')
    .action(async ({ chain, ...options }: ListingOptions & { chain?: string }) => {
      const found = await run(chain, (services, on) => services.contracts.list(on), 'to read')
      printRows<Recorded>(found, recordColumns, options, NONE)
    })
  contracts
    .command('export')
    .description('The deployment record as a file for `tally verify`, which trusts it and the node alone')
    .option('--chain <id>', 'which chain, where there are several')
    .action(async ({ chain }: { chain?: string }) => {
      const answer = await run(
        chain,
        async (services, on) => ({ chainId: on.chainId, contracts: await services.contracts.list(on) }),
        'to read',
      )
      print({ ...answer, contracts: Object.fromEntries(answer.contracts.map(({ name, address: at }) => [name, at])) })
    })
  listing(
    contracts
      .command('verify')
      .description('Every recorded contract, and whether exactly our code stands there; fails when one is not ours'),
  )
    .option('--chain <id>', 'which chain, where there are several')
    .action(async ({ chain, ...options }: ListingOptions & { chain?: string }) => {
      const found = await run(chain, (services, on) => services.contracts.verify(on), 'to read')
      printRows(found, verifiedColumns, options, NONE)
      if (found.some(({ isOurs }) => !isOurs)) process.exitCode = 1
    })
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
