// Started as a process of its own by `edr-engine.ts`: an EVM node on this machine, on EDR.
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Account } from './accounts.ts'
import { type Archive, beginArchive, openArchive } from './archive.ts'
import { serveArchive } from './archive-server.ts'
import { type Ask, type Engine, type GenesisAccount, loadEdr } from './binding.ts'
import { createChainClock } from './chain-clock.ts'
import { bytesOf, type Hex, hexOf, toHex } from './hex.ts'
import { answerBody, letPagesAsk } from './json-rpc-server.ts'
import { createMethods } from './methods.ts'
import { listSegments } from './segments.ts'
import type { RpcBlock } from './stored-block.ts'
import { tellState } from './tell-state.ts'
import { createTip } from './tip.ts'
import { createTurns } from './turns.ts'
import type { Changes } from './world-state.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8545' },
    state: { type: 'string' },
    'chain-id': { type: 'string', default: '31337' },
    timestamp: { type: 'string', default: '0' },
    'gas-limit': { type: 'string', default: '30000000' },
    'block-time': { type: 'string', default: '0' },
  },
})

const FUNDS = 10_000n * 10n ** 18n
/** The deployer by CREATE2 that is at this address on every public chain. */
const create2Deployer = {
  address: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const

const chainId = Number(values['chain-id'])
const blockGasLimit = BigInt(values['gas-limit'])
const machineSeconds = () => Math.floor(Date.now() / 1000)

const { CHAIN_ACCOUNTS } = process.env
if (CHAIN_ACCOUNTS === undefined) throw new Error('CHAIN_ACCOUNTS has to hold the accounts of the chain, as JSON')
const accounts = JSON.parse(CHAIN_ACCOUNTS) as Account[]
const edr = await loadEdr()
const common = { chainId, blockGasLimit, ownedAccounts: accounts.map(({ privateKey }) => privateKey) }

function genesisAccounts(): GenesisAccount[] {
  return [
    ...edr.systemContracts(),
    ...accounts.map(({ address }) => ({ address: bytesOf(address), balance: FUNDS })),
    { address: bytesOf(create2Deployer.address), nonce: 1n, balance: 0n, code: bytesOf(create2Deployer.code) },
  ]
}

const asChanges = (genesis: readonly GenesisAccount[]): Changes =>
  Object.fromEntries(
    genesis.map(({ address, balance = 0n, nonce = 0n, code }) => [
      hexOf(address),
      { balance: toHex(balance), nonce: toHex(nonce), code: code ? hexOf(code) : ('0x' as Hex) },
    ]),
  )

let engine: Engine
const ask: Ask = (method, params) => engine.ask(method, params)

async function beginChain(folder: string | undefined): Promise<Archive | undefined> {
  const genesis = genesisAccounts()
  engine = await edr.createEngine({ ...common, begin: { genesis, time: Number(values.timestamp) || machineSeconds() } })
  if (folder === undefined) return undefined
  const block = await ask<RpcBlock>('eth_getBlockByNumber', ['latest', true])
  const first = { block, receipts: [] }
  return beginArchive(folder, { chainId, genesis: first, head: first, state: asChanges(genesis) })
}

const goesOn = values.state !== undefined && listSegments(values.state).length > 0
const archive = goesOn && values.state !== undefined ? openArchive(values.state) : await beginChain(values.state)
const served = archive && (await serveArchive(archive))

let engines = 0

/** Another one for each engine: answers are known by port and block, and either may have belonged to another chain. */
function newAnswersFolder(chainFolder: string): string {
  const folder = join(chainFolder, 'answers')
  rmSync(folder, { recursive: true, force: true })
  return join(folder, String(++engines))
}

async function renewEngine(): Promise<void> {
  if (!archive || !served || values.state === undefined) return
  const block = BigInt(archive.head().block.number)
  archive.pin(Number(block))
  const answersFolder = newAnswersFolder(values.state)
  engine = await edr.createEngine({ ...common, begin: { archiveUrl: served.url, block, answersFolder } })
  const ofSystem = new Set(edr.systemContracts().map(({ address }) => hexOf(address)))
  await tellState(ask, archive.wholeState(), ofSystem)
}
if (goesOn) await renewEngine()

const lastBlockAt = Number(archive?.head().block.timestamp ?? 0)
const startsAt = Math.max(Number(values.timestamp) || machineSeconds(), goesOn ? lastBlockAt + 1 : 0)
const clock = createChainClock(startsAt, machineSeconds)
const tip = await createTip({ ask, archive, clock, renewEngine })
const turns = createTurns()
const answer = createMethods({ ask, tip, clock, turns, archive, blockGasLimit })

const server = createServer((request, response) => {
  if (!letPagesAsk(request, response)) answerBody(request, response, answer)
})
server.keepAliveTimeout = 60_000
server.on('error', (error: NodeJS.ErrnoException) => {
  process.stderr.write(error.code === 'EADDRINUSE' ? 'Address already in use\n' : `${error.stack}\n`)
  process.exit(1)
})
server.listen({ host: values.host, port: Number(values.port) })

const pace = Number(values['block-time']) * 1000
if (pace > 0) setInterval(() => void turns.write(() => tip.mine()), pace)

// A chain in memory is of use to nobody once whoever started it has gone.
const startedBy = process.ppid
if (values.state === undefined) setInterval(() => process.ppid === startedBy || process.exit(0), 1_000)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void turns.write(async () => process.exit(0)))
