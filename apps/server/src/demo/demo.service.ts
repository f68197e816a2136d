import { type Service, scopes, services } from '@tallystick/wire'
import { toHex } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createOperatorService, type OperatorService } from '../access/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { createDatabase } from '../platform/db/database.ts'
import type { Random } from '../platform/random.ts'
import { createDemoClient, type DemoClient, DemoRefusedError } from './demo-client.ts'
import { ensureLendingSuite } from './demo-lending.ts'
import { demoTokens, deployDemoTokens, hasCode } from './demo-tokens.ts'
import { type DemoInstance, type DemoWorld, demoFile, emptyWorld, readWorld, writeWorld } from './demo-world.ts'

/** The public development phrase of local nodes; its keys are known to everyone and worth nothing. */
const DEVELOPMENT_PHRASE = 'test test test test test test test test test test test junk'
const DEMO_CHAIN_ID = 31_337
/** Gets the infrastructure fees. */
const PLATFORM_ACCOUNT = 9

interface DemoRole {
  readonly role: string
  readonly name: string
  readonly account: number
  readonly lenderApproved: boolean
}

const roles: readonly DemoRole[] = [
  { role: 'issuer', name: 'Issuer platform', account: 0, lenderApproved: false },
  { role: 'lender', name: 'Lender of record', account: 1, lenderApproved: true },
  { role: 'trader', name: 'Trader', account: 2, lenderApproved: false },
  { role: 'outsider', name: 'Outsider', account: 3, lenderApproved: false },
]

function developmentAccount(index: number): { account: PrivateKeyAccount; privateKey: `0x${string}` } {
  const key = mnemonicToAccount(DEVELOPMENT_PHRASE, { addressIndex: index }).getHdKey().privateKey
  if (!key) throw new Error('the development phrase gave no key')
  const privateKey = toHex(key)
  return { account: privateKeyToAccount(privateKey), privateKey }
}

export interface SeedParts {
  readonly config: Config
  readonly databaseUrl: string
  readonly baseUrl: string
  readonly rpcUrl: string
  readonly clock: Clock
  readonly random: Random
}

/** Brings the demo to where it should be, doing only what is missing, through the public interface and real signatures. */
export async function seedDemo(parts: SeedParts): Promise<DemoWorld> {
  const file = demoFile(parts.config.DATA_DIR)
  const world = {
    ...(readWorld(file) ?? emptyWorld(parts.baseUrl, parts.rpcUrl, DEMO_CHAIN_ID)),
    baseUrl: parts.baseUrl,
    rpcUrl: parts.rpcUrl,
  }
  const database = createDatabase({ url: parts.databaseUrl, poolSize: 1, applicationName: 'tally-demo' })
  try {
    const operator = createOperatorService(database, parts)
    for (const role of roles) {
      world.instances[role.role] = await ensureInstance(operator, world, role)
      // Written at once: a key is shown only when it is made, and a crash must not lose it.
      writeWorld(file, world)
    }
    if (!world.registerKey) world.registerKey = (await operator.createRegisterKey('demo')).apiKey
    writeWorld(file, world)
    const suite = await ensureLendingSuite({
      ...parts,
      database,
      chainId: DEMO_CHAIN_ID,
      owner: developmentAccount(0).account,
      platformWallet: developmentAccount(PLATFORM_ACCOUNT).account.address,
    })
    world.contracts = { ...world.contracts, ...suite }
    writeWorld(file, world)
  } finally {
    await database.close()
  }
  await ensureTokens(world, parts.rpcUrl)
  writeWorld(file, world)
  for (const role of roles) await ensureWallet(world, role)
  await ensureImports(world)
  writeWorld(file, world)
  return world
}

function clientOf(world: DemoWorld, role: string): DemoClient {
  return createDemoClient(world.baseUrl, world.instances[role]?.apiKey ?? '')
}

async function ensureInstance(
  operator: OperatorService,
  world: DemoWorld,
  { role, name, account, lenderApproved }: DemoRole,
): Promise<DemoInstance> {
  const { account: wallet, privateKey } = developmentAccount(account)
  const wallets = [{ address: wallet.address.toLowerCase(), privateKey, label: name }]
  const known = world.instances[role]
  if (known && (await isOpen(clientOf(world, role)))) return { ...known, wallets }
  // A crash may have lost the key but not the instance: it gets another key, never a twin.
  const orphan = (await operator.listInstances()).find(
    (instance) =>
      instance.status === 'ACTIVE' && (known ? instance.instanceId === known.instanceId : instance.name === name),
  )
  if (orphan) {
    const { apiKey } = await operator.createKey(orphan.instanceId, { name: 'demo', scopes })
    return { instanceId: orphan.instanceId, apiKey, wallets }
  }
  const created = await operator.createInstance({
    name,
    chainId: DEMO_CHAIN_ID,
    environment: 'DEVELOPMENT',
    services: [...services] as Service[],
    lenderApproved,
  })
  return { ...created, wallets }
}

/** Whether the key still opens its instance. Only a refused key says no: any other failure must not make a new instance. */
async function isOpen(call: DemoClient): Promise<boolean> {
  try {
    await call('GET', '/access/api/instance')
    return true
  } catch (error) {
    if (error instanceof DemoRefusedError && error.code === 'AUTH_FAILED') return false
    throw error
  }
}

async function ensureTokens(world: DemoWorld, rpcUrl: string): Promise<void> {
  if (await hasCode(rpcUrl, world.tokens.dEUR)) return
  const holders = roles.map(({ account }) => developmentAccount(account).account.address)
  const deployed = await deployDemoTokens(rpcUrl, developmentAccount(0).account, holders)
  world.tokens = deployed.addresses
  world.contracts = { ...world.contracts, ...deployed.contracts }
}

async function ensureWallet(world: DemoWorld, { role, name, account }: DemoRole): Promise<void> {
  const call = clientOf(world, role)
  const wallets = await call<{ address: string }[]>('GET', '/access/api/wallets')
  const { account: wallet } = developmentAccount(account)
  const address = wallet.address.toLowerCase()
  if (wallets.some((known) => known.address === address)) return
  const challenge = await call<{ nonce: string; message: string }>('POST', '/access/api/wallets/challenge', { address })
  const signature = await wallet.signMessage({ message: challenge.message })
  await call('POST', '/access/api/wallets', { address, nonce: challenge.nonce, signature, label: name })
}

/** Tokens belong in the directory of the issuer who publishes them and of the trader who deals in them. */
async function ensureImports(world: DemoWorld): Promise<void> {
  for (const role of ['issuer', 'trader']) {
    const call = clientOf(world, role)
    const imports = await call<{ tokenAddress: string }[]>('GET', '/external-tokens/api/list')
    for (const { symbol, assetType, profile } of demoTokens) {
      const tokenAddress = world.tokens[symbol]
      if (!imports.some((known) => known.tokenAddress === tokenAddress))
        await call('POST', '/external-tokens/api/import', { tokenAddress, assetType })
      if (role === 'issuer' && profile) await ensureProfile(call, `/external-tokens/api/${tokenAddress}`, profile)
    }
  }
}

async function ensureProfile(call: DemoClient, path: string, profile: Record<string, unknown>): Promise<void> {
  const known = await call<{ profile: unknown }>('GET', path)
  if (known.profile === null) await call('PUT', `${path}/profile`, { profile })
}
