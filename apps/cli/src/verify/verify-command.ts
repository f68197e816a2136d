import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { proveContracts } from '@tallystick/server/operator'
import { type Config, ConfigError, connectChains, parseAddress, systemClock } from '@tallystick/server/platform'
import type { Command } from 'commander'
import type { Address } from 'viem'
import { print } from '../print.ts'
import { type Answer, type DeploymentRecord, readAnswer, readRecord } from './answer.rules.ts'
import { gatherFacts } from './facts.ts'
import { type Holder, judge } from './judge.rules.ts'
import { openNode } from './node.ts'
import { reportText, summarize, type Verification } from './report.ts'

interface VerifyOptions {
  readonly rpc: string
  readonly deployment?: string
  readonly from?: Address
  readonly known: Address[]
  readonly request?: string
  readonly json?: boolean
}

function addressOption(text: string): Address {
  const parsed = parseAddress(text)
  if (!parsed) throw new ConfigError(`This is no address: "${text}".`)
  return parsed
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error })
  }
}

function readDeployment(file: string): DeploymentRecord {
  const record = readRecord(readText(file))
  if (!record) throw new ConfigError(`${file} is no deployment record: write one with tally contracts export.`)
  return record
}

function readRequest(file: string | undefined): Pick<Holder, 'request'> {
  if (file === undefined) return {}
  try {
    return { request: JSON.parse(readText(file)) }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${file} is no JSON.`, { cause: error })
  }
}

/** The names on record where other code stands than this release would have put there. */
async function foreignCode(rpc: string, record: DeploymentRecord, timeoutMs: number): Promise<string[]> {
  const chains = await connectChains([{ chainId: undefined, urls: [rpc] }], { timeoutMs, clock: systemClock })
  try {
    const [chain] = chains.all
    if (!chain || chain.chainId !== record.chainId) return []
    const proven = await proveContracts(chain, record.contracts)
    return proven.filter(({ isOurs }) => !isOurs).map(({ name }) => name)
  } finally {
    await chains.close()
  }
}

async function verify(
  answer: Answer,
  record: DeploymentRecord,
  options: VerifyOptions,
  timeoutMs: number,
): Promise<Verification> {
  const holder: Holder = {
    ...(options.from ? { from: options.from } : {}),
    known: options.known,
    ...readRequest(options.request),
  }
  const notOurs = await foreignCode(options.rpc, record, timeoutMs)
  const node = await openNode(options.rpc, timeoutMs)
  const facts = await gatherFacts(node, answer, record, holder, notOurs)
  return summarize(answer, facts, judge(answer, facts, holder), { block: node.block, from: holder.from })
}

export function addVerifyCommand(program: Command, readConfig: () => Config): void {
  program
    .command('verify <answer>')
    .description('What an answer asks you to sign, checked with the node alone; fails when something speaks against it')
    .requiredOption('--rpc <url>', 'a node that you trust')
    .option('--deployment <file>', 'the record of tally contracts export; the file of the demo otherwise')
    .option('--from <address>', 'the wallet that is going to sign', addressOption)
    .option('--request <file>', 'what you asked for, as JSON: the call must carry nothing else')
    .option(
      '--known <address>',
      'a contract of others that you know; may be repeated',
      (text: string, before: Address[]) => [...before, addressOption(text)],
      [] as Address[],
    )
    .option('--json', 'JSON instead of text')
    .action(async (file: string, options: VerifyOptions) => {
      const config = readConfig()
      const answer = readAnswer(readText(file))
      const record = readDeployment(options.deployment ?? join(config.DATA_DIR, 'demo.json'))
      const verification = await verify(answer, record, options, config.RPC_TIMEOUT_MS)
      if (options.json) print(verification)
      else process.stdout.write(reportText(verification))
      if (verification.verdict === 'refused') process.exitCode = 1
    })
}
