import { createOperatorService, type OperatorService } from '@tallystick/server/operator'
import { type Clock, type Config, createDatabase, type Random } from '@tallystick/server/platform'
import { demoFile } from '@tallystick/server/stack'
import { type Service, scopes, services } from '@tallystick/wire'
import { consoleRoles } from './console-roles.ts'
import { hasCode } from './create2.ts'
import { createDemoClient, type DemoClient, DemoRefusedError } from './demo-client.ts'
import { ensureRegister } from './demo-register.ts'
import { ensureSuites } from './demo-suites.ts'
import { bringToPresent } from './demo-time.ts'
import { demoTokens, deployDemoTokens } from './demo-tokens.ts'
import { type DemoInstance, type DemoWorld, emptyWorld, readWorld, writeWorld } from './demo-world.ts'
import { accountIndex, developmentAccount } from './development-accounts.ts'
import { ensureGold, GOLD } from './gold.ts'
import { ensureBorrower, ensureMarkets, ensureOldMarkets } from './markets/index.ts'
import type { Stages } from './stages.ts'
import { ensureStocks, ensureStockTokens } from './stocks/index.ts'
import { ensureTrading } from './trading/index.ts'
import type { TravellingClock } from './travelling-clock.ts'

const DEMO_CHAIN_ID = 31_337

interface DemoRole {
  readonly role: string
  readonly name: string
  /** The first is who the instance is. */
  readonly wallets: readonly { readonly account: number; readonly label: string }[]
  readonly lenderApproved: boolean
}

function createRole(role: keyof typeof accountIndex, name: string, more: Partial<DemoRole> = {}): DemoRole {
  const own = { account: accountIndex[role], label: name }
  return { role, name, lenderApproved: false, ...more, wallets: [own, ...(more.wallets ?? [])] }
}

const roles: readonly DemoRole[] = [
  // Whoever borrows or invests is a customer of the platform.
  createRole('issuer', 'Issuer platform', {
    wallets: [
      { account: accountIndex.borrower, label: 'Borrower' },
      { account: accountIndex.subIssuer, label: 'Sub-issuer' },
      { account: accountIndex.controller, label: 'Controller' },
      { account: accountIndex.legalOperator, label: 'Legal operator' },
      { account: accountIndex.frozenInvestor, label: 'Frozen investor' },
      { account: accountIndex.formerInvestor, label: 'Former investor' },
    ],
  }),
  createRole('lender', 'Lender of record', { lenderApproved: true }),
  createRole('trader', 'Trader'),
  createRole('outsider', 'Outsider'),
]

export interface SeedParts {
  readonly config: Config
  readonly databaseUrl: string
  readonly baseUrl: string
  readonly rpcUrl: string
  readonly clock: Clock
  /** That of the order books, which may go back for a while. */
  readonly tradingClock: TravellingClock
  readonly random: Random
  readonly stages: Stages
}

/** Brings the demo to where it should be, doing only what is missing, through the public interface and real signatures. */
export async function seedDemo(parts: SeedParts): Promise<DemoWorld> {
  const { stages } = parts
  const file = demoFile(parts.config.DATA_DIR)
  const world = {
    ...(readWorld(file) ?? emptyWorld(parts.baseUrl, parts.rpcUrl, DEMO_CHAIN_ID)),
    baseUrl: parts.baseUrl,
    rpcUrl: parts.rpcUrl,
  }
  const database = createDatabase({
    url: parts.databaseUrl,
    poolSize: 1,
    applicationName: 'tally-demo',
    serves: 'jobs',
  })
  try {
    stages.doing('instances')
    const operator = createOperatorService(database, parts)
    for (const role of roles) {
      world.instances[role.role] = await ensureInstance(operator, world, role)
      // Written at once: a key is shown only when it is made, and a crash must not lose it.
      writeWorld(file, world)
    }
    stages.done('instances', `${roles.map(({ role }) => role).join(', ')}, each with a key`)
    stages.doing('register')
    await ensureRegister({ ...parts, database })
    if (!world.registerKey) world.registerKey = (await operator.createRegisterKey('demo')).apiKey
    writeWorld(file, world)
    stages.done('register', 'invented regulated entities, to search')
    stages.doing('contracts')
    const suites = await ensureSuites({
      ...parts,
      database,
      chainId: DEMO_CHAIN_ID,
      owner: developmentAccount(accountIndex.issuer).account,
      platformWallet: developmentAccount(accountIndex.platform).account.address,
    })
    world.contracts = { ...world.contracts, ...suites }
    writeWorld(file, world)
    stages.done('contracts', `${Object.keys(suites).length} on chain and on record`)
  } finally {
    await database.close()
  }
  stages.doing('tokens')
  await ensureTokens(world, parts.rpcUrl)
  writeWorld(file, world)
  for (const role of roles) await ensureWallets(world, role)
  await ensureUsers(world)
  await ensureImports(world)
  writeWorld(file, world)
  stages.done('tokens', `${demoTokens.length} of every framework, imported`)
  stages.doing('stocks')
  await ensureStockTokens(world)
  // What is older than today: its prices are.
  await ensureOldMarkets(world)
  await bringToPresent(parts.rpcUrl, parts.clock)
  await ensureStocks(world)
  writeWorld(file, world)
  stages.done('stocks', 'stock tokens, identities and their claims')
  // This one borrows and trades.
  await ensureBorrower(world)
  stages.doing('markets')
  stages.doing('books')
  await Promise.all([
    ensureMarkets(world).then(() => stages.done('markets', 'loans in every state')),
    ensureTrading(world, parts).then(() => stages.done('books', 'order books with depth and a tape')),
  ])
  writeWorld(file, world)
  return world
}

function clientOf(world: DemoWorld, role: string): DemoClient {
  return createDemoClient(world.baseUrl, world.instances[role]?.apiKey ?? '')
}

async function ensureInstance(
  operator: OperatorService,
  world: DemoWorld,
  { role, name, lenderApproved, wallets: named }: DemoRole,
): Promise<DemoInstance> {
  const wallets = named.map(({ account, label }) => {
    const { account: wallet, privateKey } = developmentAccount(account)
    return { address: wallet.address.toLowerCase(), privateKey, label }
  })
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
  const issuer = developmentAccount(accountIndex.issuer).account
  if (!(await hasCode(rpcUrl, world.tokens.dEUR))) {
    const holders = roles.map(({ wallets: [own] }) => developmentAccount(own?.account ?? 0).account.address)
    const deployed = await deployDemoTokens(rpcUrl, issuer, holders)
    world.tokens = deployed.addresses
    world.contracts = { ...world.contracts, ...deployed.contracts }
  }
  world.tokens[GOLD] = await ensureGold(rpcUrl, issuer)
}

async function ensureWallets(world: DemoWorld, { role, wallets }: DemoRole): Promise<void> {
  const call = clientOf(world, role)
  const known = await call<{ address: string }[]>('GET', '/access/api/wallets')
  for (const { account, label } of wallets) {
    const { account: wallet } = developmentAccount(account)
    const address = wallet.address.toLowerCase()
    if (known.some((one) => one.address === address)) continue
    const challenge = await call<{ nonce: string; message: string }>('POST', '/access/api/wallets/challenge', {
      address,
    })
    const signature = await wallet.signMessage({ message: challenge.message })
    await call('POST', '/access/api/wallets', { address, nonce: challenge.nonce, signature, label })
  }
}

/** Who can sign in to the console. Admins first: from the first one on there has to be one. */
async function ensureUsers(world: DemoWorld): Promise<void> {
  for (const { instance, account, name, userRole } of consoleRoles) {
    const call = clientOf(world, instance)
    const { users } = await call<{ users: { address: string }[] }>('GET', '/access/api/users')
    const address = developmentAccount(accountIndex[account]).account.address.toLowerCase()
    if (!users.some((one) => one.address === address))
      await call('POST', '/access/api/users', { address, name, role: userRole })
  }
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
