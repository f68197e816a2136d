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
import { deploy, startTestChain, type TestChain } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import type { Abi, Hex } from 'viem'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type TestAnswer, type TestInstance, type World, type WorldOptions } from './world.ts'

export const TOKENS = '/external-tokens/api'

export interface TokensWorld extends World {
  readonly instance: TestInstance
  /** A chain of its own: other files mine no blocks and use no nonces here. */
  readonly node: TestChain
  readonly superuser: Sql
  create(contract: { abi: Abi | readonly unknown[]; bytecode: Hex; args?: readonly unknown[] }): Promise<Hex>
  createCash(symbol?: string, decimals?: number): Promise<Hex>
  /** An ERC-3643 token of our own whose identity is its owner. */
  createSecurity(): Promise<{ token: Hex; identityRegistry: Hex; compliance: Hex; onchainID: string }>
  detect(tokenAddress: string): Promise<TestAnswer>
  import(tokenAddress: string, request?: Record<string, unknown>): Promise<TestAnswer>
  /** A token that is imported already. */
  createImport(): Promise<Hex>
  get(tokenAddress: string): Promise<TestAnswer>
  /** Every import of every instance, revoked ones too, to compare before and after. */
  everyImport(): Promise<Record<string, unknown>[]>
}

/** The product with one instance, and a chain to create tokens on. `rpcUrls` puts something between app and chain. */
export async function createTokensWorld(
  options: { rpcUrls?: (url: string) => Promise<string[]>; world?: WorldOptions } = {},
): Promise<TokensWorld> {
  const node = await startTestChain()
  const rpcUrls = (await options.rpcUrls?.(node.url)) ?? [node.url]
  const world = await createWorld({ ...options.world, rpcUrls })
  const instance = await world.createInstance()
  const superuser = connectSuperuser(world.databaseUrl)
  const owner = node.walletClient.account.address

  const create: TokensWorld['create'] = async (contract) => (await deploy(node, contract)).toLowerCase() as Hex
  const createCash = (symbol = 'CASH', decimals = 6) =>
    create({ abi: demoCashAbi, bytecode: demoCashBytecode, args: [`Token ${symbol}`, symbol, decimals, owner] })
  const importToken: TokensWorld['import'] = (tokenAddress, request = {}) =>
    instance.call('POST', `${TOKENS}/import`, { body: { tokenAddress, assetType: 'BOND', ...request } })

  return {
    ...world,
    instance,
    node,
    superuser,
    create,
    createCash,
    async createSecurity() {
      const registry = { abi: demoIdentityRegistryAbi, bytecode: demoIdentityRegistryBytecode, args: [owner] }
      const identityRegistry = await create(registry)
      const compliance = await create({ abi: demoComplianceAbi, bytecode: demoComplianceBytecode, args: [owner] })
      const args = ['Nordlicht 2030', 'NORD', 18, identityRegistry, compliance, owner, owner]
      const token = await create({ abi: demoSecurityAbi, bytecode: demoSecurityBytecode, args })
      return { token, identityRegistry, compliance, onchainID: owner.toLowerCase() }
    },
    import: importToken,
    detect: (tokenAddress) => instance.call('POST', `${TOKENS}/detect`, { body: { tokenAddress } }),
    async createImport() {
      const address = await createCash()
      const { status, text } = await importToken(address)
      if (status !== 200) throw new Error(`a token could not be imported: ${text}`)
      return address
    },
    get: (tokenAddress) => instance.call('GET', `${TOKENS}/${tokenAddress}`),
    everyImport: async () => [...(await superuser`select * from token_imports order by instance_id, import_id`)],
    async close() {
      await superuser.end()
      await world.close()
      await node.stop()
    },
  }
}
