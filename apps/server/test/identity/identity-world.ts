import { demoCashAbi, demoCashBytecode, identityRegistryAbi } from '@tallystick/abi'
import type { StockSuite } from '@tallystick/deployer'
import {
  deploy,
  deployStockSuite,
  send,
  startPreparedChain,
  type TestChain,
  type Wallet,
  wallet,
} from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { type Abi, type Address, type Hex, keccak256, toHex } from 'viem'
import { type RpcProxy, rpcProxy } from '../rpc-proxy.ts'
import { followerOf, must, registerWallet, senderOn, throughProxy } from '../signing.ts'
import { connectSuperuser } from '../superuser.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../world.ts'

export { must }

export const IDENTITY = '/customers/api/identity'
export const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
export const NO_HASH = `0x${'1'.repeat(64)}` as Hex

/** An instance whose wallets sign what it is told to sign. */
export interface Party extends TestInstance {
  get(path: string): Promise<TestAnswer>
  post(path: string, body?: unknown): Promise<TestAnswer>
}

export interface IdentityWorld extends World {
  readonly node: TestChain
  readonly proxy: RpcProxy
  readonly suite: StockSuite
  readonly superuser: Sql
  readonly registry: Address
  readonly cash: Address
  /** Administers the registry. */
  readonly admin: Wallet
  /** KYC provider and operator of the registry, registered by the instance `provider`. */
  readonly clerk: Wallet
  readonly provider: Party
  /** Its wallet has no role. */
  readonly outsider: Party
  readonly walletless: Party
  createParty(...wallets: Wallet[]): Promise<Party>
  /** Calls the registry directly; the receipt. */
  registryCall(functionName: string, args: readonly unknown[], account?: Wallet): ReturnType<typeof send>
  /** Verifies a wallet on chain, behind the back of the interface. */
  verified(user: Address, request?: { softExpiry?: number; hardExpiry?: number }): Promise<void>
  /** The newest block's time. */
  chainTime(): Promise<number>
  /** Signs and sends what a build answered; throws when it reverts. */
  sign(account: Wallet, built: TestAnswer): Promise<Hex>
  sendRaw(account: Wallet, call: { to: Address; data: Hex }): Promise<Hex>
  /** How many round trips to the node this takes. */
  roundTrips(work: () => Promise<unknown>): Promise<number>
  /** Runs while no node answers. */
  withoutNode<T>(work: () => Promise<T>): Promise<T>
  follow(): Promise<void>
}

/** The product with the identity registry on a chain of its own. */
export async function createIdentityWorld(): Promise<IdentityWorld> {
  const { node, made: suite } = await startPreparedChain('stocks', (chain) => deployStockSuite(chain))
  const proxy = await rpcProxy(node.url)
  const world = await createWorld({ rpcUrls: [proxy.url] })
  const superuser = connectSuperuser(world.databaseUrl)
  const registry = suite.identityRegistry.toLowerCase() as Address
  await superuser`
    insert into deployed_contracts (chain_id, name, address, recorded_at) values (${node.chainId}, 'IdentityRegistry', ${registry}, now())`
  const [admin, clerk] = [wallet(0), wallet(1)]
  const { follow } = await followerOf(world)

  const registryCall: IdentityWorld['registryCall'] = (functionName, args, account = clerk) =>
    send(node, { address: registry, abi: identityRegistryAbi as Abi, functionName, args, account })
  await registryCall('addKYCProvider', [clerk.address, 'Examined Ltd'], admin)
  await registryCall('addRegisterOperator', [clerk.address, 'Examined Ltd'], admin)

  async function createParty(...wallets: Wallet[]): Promise<Party> {
    const instance = await world.createInstance()
    for (const account of wallets) await registerWallet(instance, account)
    return {
      ...instance,
      get: (path) => instance.call('GET', `${IDENTITY}${path}`),
      post: (path, body) => instance.call('POST', `${IDENTITY}${path}`, { body }),
    }
  }

  const sendRaw = senderOn(node)
  const cash = await deploy(node, {
    abi: demoCashAbi,
    bytecode: demoCashBytecode,
    args: ['Cash', 'USDX', 6, admin.address],
  })

  return {
    ...world,
    node,
    proxy,
    suite,
    superuser,
    registry,
    cash,
    admin,
    clerk,
    provider: await createParty(clerk),
    outsider: await createParty(wallet(2)),
    walletless: await createParty(),
    createParty,
    registryCall,
    async verified(user, { softExpiry = 0, hardExpiry = 0 } = {}) {
      await registryCall('verifyIdentity', [user, hashOf(user), 1, BigInt(softExpiry), BigInt(hardExpiry), 276])
    },
    chainTime: async () => Number((await node.publicClient.getBlock()).timestamp),
    sign: (account, built) => sendRaw(account, must(built).body.data.transaction),
    sendRaw,
    ...throughProxy(proxy),
    follow,
    async close() {
      await superuser.end()
      await world.close()
      await proxy.stop()
      await node.stop()
    },
  }
}

/** Some hash that belongs to these words. */
export const hashOf = (words: string): Hex => keccak256(toHex(words))
