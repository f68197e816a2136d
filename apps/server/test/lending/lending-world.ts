import {
  demoCashAbi,
  demoCashBytecode,
  demoComplianceAbi,
  demoComplianceBytecode,
  demoIdentityRegistryAbi,
  demoIdentityRegistryBytecode,
  demoSecurityAbi,
  demoSecurityBytecode,
} from '@tallystick/abi'
import type { LendingSuite } from '@tallystick/deployer'
import {
  deploy,
  deployLendingSuite,
  send,
  startPreparedChain,
  type TestChain,
  type Wallet,
  wallet,
} from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { type Address, type Hex, parseUnits } from 'viem'
import type { Follower } from '../../src/follower/index.ts'
import { followerOf, must, type Party, partyOf, senderOn } from '../signing.ts'
import { connectSuperuser } from '../superuser.ts'
import { createWorld, type TestAnswer, type World, type WorldOptions } from '../world.ts'

export { must, type Party }

/** The prefix that the documentation shows for markets. */
export const V2 = '/lending-external-securities-v2/api'

export interface Security {
  readonly token: Address
  readonly registry: Address
  readonly compliance: Address
}

export interface LendingWorld extends World {
  readonly node: TestChain
  readonly suite: LendingSuite
  readonly superuser: Sql
  readonly follower: Follower
  /** Imported by the deployer with a profile; 18 decimals. */
  readonly security: Security
  /** The borrow asset; 6 decimals. */
  readonly cash: Address
  /** Deploys markets; its wallet is also the token's agent and the registry's. */
  readonly deployer: Party
  /** Approved as a lender of record. */
  readonly lender: Party
  readonly outsider: Party
  createParty(wallet: Wallet, request?: { lenderApproved?: boolean }): Promise<Party>
  createSecurity(symbol?: string): Promise<Security>
  createCash(symbol?: string, decimals?: number): Promise<Address>
  importToken(party: Party, token: Address, profile?: Record<string, unknown> | null): Promise<void>
  /** Signs and sends what a build answered; the receipt's hash. Throws when it reverts. */
  sign(account: Wallet, built: TestAnswer): Promise<Hex>
  /** Sends a transaction of any form. */
  sendRaw(account: Wallet, call: { to: Address; data: Hex }): Promise<Hex>
  /** A deployed and confirmed market of the deployer. */
  deployMarket(
    request?: Record<string, unknown>,
    prefix?: string,
  ): Promise<{ marketId: string; marketAddress: Address; txHash: Hex }>
  deployBody(request?: Record<string, unknown>): Record<string, unknown>
  /** Lets the follower take down everything that is mined. */
  follow(): Promise<void>
}

const profile = { issuerName: 'Nordlicht Windpark GmbH', jurisdiction: 'DE', isin: 'DE000A1EWWW0' }

const lower = (address: string) => address.toLowerCase() as Address

async function createSecurity(node: TestChain, symbol = 'NORD'): Promise<Security> {
  const owner = wallet(0).address
  const registry = lower(
    await deploy(node, { abi: demoIdentityRegistryAbi, bytecode: demoIdentityRegistryBytecode, args: [owner] }),
  )
  const compliance = lower(
    await deploy(node, { abi: demoComplianceAbi, bytecode: demoComplianceBytecode, args: [owner] }),
  )
  const args = [`Security ${symbol}`, symbol, 18, registry, compliance, owner, owner]
  const token = lower(await deploy(node, { abi: demoSecurityAbi, bytecode: demoSecurityBytecode, args }))
  for (const address of [token, registry])
    await send(node, { address, abi: demoSecurityAbi, functionName: 'addAgent', args: [owner] })
  return { token, registry, compliance }
}

async function createCash(node: TestChain, symbol = 'USDX', decimals = 6): Promise<Address> {
  const args = [`Cash ${symbol}`, symbol, decimals, wallet(0).address]
  return lower(await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args }))
}

async function prepareLending(node: TestChain) {
  const suite = await deployLendingSuite(node)
  return { suite, security: await createSecurity(node), cash: await createCash(node) }
}

/** The product with the lending suite on a chain of its own, a security, cash, and three instances with wallets. */
export async function createLendingWorld(
  options: { rpcUrls?: (node: TestChain) => Promise<readonly string[]>; world?: WorldOptions } = {},
): Promise<LendingWorld> {
  const { node, made } = await startPreparedChain('lending', prepareLending)
  const { suite, security, cash } = made
  const world = await createWorld({
    ...options.world,
    rpcUrls: options.rpcUrls ? await options.rpcUrls(node) : [node.url],
  })
  const superuser = connectSuperuser(world.databaseUrl)
  await superuser`
    insert into deployed_contracts (chain_id, name, address, recorded_at)
    values (${node.chainId}, 'LendingFactory', ${suite.factory}, now())`
  const { follower, follow } = await followerOf(world)

  async function createParty(account: Wallet, request: { lenderApproved?: boolean } = {}): Promise<Party> {
    const instance = await world.createInstance()
    if (request.lenderApproved) await world.operator.approveLender(instance.instanceId, true)
    return partyOf(instance, account)
  }

  async function importToken(
    party: Party,
    token: Address,
    given: Record<string, unknown> | null = profile,
  ): Promise<void> {
    must(await party.post('/external-tokens/api/import', { tokenAddress: token, assetType: 'BOND' }))
    if (given) must(await party.call('PUT', `/external-tokens/api/${token}/profile`, { body: { profile: given } }))
  }

  const sendRaw = senderOn(node)
  const deployer = await createParty(wallet(0))
  const lender = await createParty(wallet(1), { lenderApproved: true })
  const outsider = await createParty(wallet(2))
  await importToken(deployer, security.token)

  const deployBody = (request: Record<string, unknown> = {}) => ({
    collateralTokenAddress: security.token,
    borrowAssetAddress: cash,
    initialPrice: '100',
    mode: 'FREEZE',
    candidates: [lender.wallet.address],
    ...request,
  })
  const sign = (account: Wallet, built: TestAnswer) => sendRaw(account, must(built).body.data.transaction)

  return {
    ...world,
    node,
    suite,
    superuser,
    follower,
    security,
    cash,
    deployer,
    lender,
    outsider,
    createParty,
    createSecurity: (symbol) => createSecurity(node, symbol),
    createCash: (symbol, decimals) => createCash(node, symbol, decimals),
    importToken,
    sign,
    sendRaw,
    deployBody,
    async deployMarket(request = {}, prefix = V2) {
      const body = deployBody(request)
      const txHash = await sign(deployer.wallet, await deployer.post(`${prefix}/markets/deploy`, body))
      const { collateralTokenAddress } = body
      const confirmed = must(await deployer.post(`${prefix}/markets/deploy`, { collateralTokenAddress, txHash }))
      const { market } = confirmed.body.data
      return { marketId: market.id, marketAddress: market.marketAddress, txHash }
    },
    follow,
    async close() {
      await superuser.end()
      await world.close()
      await node.stop()
    },
  }
}

/** Whole tokens in the smallest unit. */
export const units = (whole: number, decimals = 18): bigint => parseUnits(String(whole), decimals)
