import { readFileSync } from 'node:fs'
import { erc1967ProxyAbi, erc1967ProxyBytecode, lendingFactoryAbi } from '@tallystick/abi'
import {
  deploy,
  deployLendingSuite,
  deployTradingSuite,
  send,
  startTestChain,
  type TestChain,
  wallet,
} from '@tallystick/testkit'
import { type Address, concatHex, encodeAbiParameters, encodeFunctionData, type Hex, padHex, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../test/world.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { createContractsService } from './contracts.service.ts'
import { createSuitesService } from './suites.service.ts'

const released = new URL(
  '../../../../contracts/test/fixtures/lending/second-generation/creation-code.json',
  import.meta.url,
)
const code: Record<string, Hex> = JSON.parse(readFileSync(released, 'utf8'))
/** Where that build has its libraries, in this order. */
const libraries = [
  'SettlementModule',
  'VaultDrawLib',
  'AdoptionModule',
  'BorrowModule',
  'ConfigModule',
  'ExtensionModule',
  'LoanModule',
  'PoolModule',
  'SeizureModule',
  'ViewModule',
  'AssetDataLedger',
  'CuratorBook',
  'MarketAssembly',
]
const implementations = {
  market: 'LendingMarket',
  rateModel: 'InterestRateModel',
  insuranceFund: 'InsuranceFund',
  router: 'LiquidationRouter',
} as const
const owner = wallet(0)
const platformWallet = wallet(9).address
const lower = (address: string) => address.toLowerCase() as Address

describe('contracts of an earlier build', () => {
  let node: TestChain
  let world: World
  let chain: Chain
  let suites: ReturnType<typeof createSuitesService>
  let contracts: ReturnType<typeof createContractsService>
  let factory: Address
  const addresses: Record<string, Address> = {}

  const create = async (name: string, args: Hex = '0x') => {
    const address = lower(await deploy(node, { abi: [], bytecode: concatHex([code[name] ?? '0x', args]), args: [] }))
    addresses[name] = address
    return address
  }
  const belongingTo = (...owners: Address[]) =>
    encodeAbiParameters(
      owners.map(() => ({ type: 'address' })),
      owners,
    )

  beforeAll(async () => {
    node = await startTestChain()
    world = await createWorld({ rpcUrls: [node.url] })
    chain = world.chains.get(31337)
    suites = createSuitesService(world.database, world)
    contracts = createContractsService(world.database, world)
    for (const [index, name] of libraries.entries()) {
      const address: Address = `0x${(0x5ec00001 + index).toString(16).padStart(40, '0')}`
      // A library writes the address at which it is created into its code.
      const inPlace = [{ to: address }, 'latest', { [address]: { code: code[name] } }]
      const bytecode = await node.publicClient.request({ method: 'eth_call', params: inPlace as never })
      await node.testClient.setCode({ address, bytecode })
      addresses[name] = address
    }
    const satelliteDeployer = await create('SatelliteDeployer')
    const behind = await create('LendingFactory')
    const args = [owner.address, satelliteDeployer] as const
    const initialization = encodeFunctionData({ abi: lendingFactoryAbi, functionName: 'initialize', args })
    const proxied = [behind, initialization]
    factory = lower(await deploy(node, { abi: erc1967ProxyAbi, bytecode: erc1967ProxyBytecode, args: proxied }))
    for (const [kind, name] of Object.entries(implementations)) {
      const given = kind === 'market' ? belongingTo(factory, platformWallet) : belongingTo(factory)
      await serve(kind, await create(name, given))
    }
  })
  afterAll(async () => {
    await world.close()
    await node.stop()
  })

  const serve = (kind: string, implementation: Address) =>
    send(node, {
      address: factory,
      abi: lendingFactoryAbi,
      functionName: 'setImplementation',
      args: [stringToHex(kind, { size: 32 }), implementation],
      account: owner,
    })
  const record = (name: string, address: Address, replace = false) =>
    suites.recordStanding(chain, name, address, { replace })
  const strangers = async () => (await contracts.verify(chain)).filter(({ isOurs }) => !isOurs).map(({ name }) => name)

  it('are put on record by the address of their factory, each by its code', async () => {
    const { recorded } = await record('LendingFactory', factory)
    expect(Object.fromEntries(recorded.map(({ name, address }) => [name, address]))).toEqual({
      LendingFactory: factory,
      LendingFactoryImplementation: addresses.LendingFactory,
      SatelliteDeployer: addresses.SatelliteDeployer,
      LendingMarketImplementation: addresses.LendingMarket,
      InterestRateModelImplementation: addresses.InterestRateModel,
      InsuranceFundImplementation: addresses.InsuranceFund,
      LiquidationRouterImplementation: addresses.LiquidationRouter,
      ...Object.fromEntries(libraries.map((name) => [name, addresses[name]])),
    })
  })

  it('stay ours, and say of which day they are', async () => {
    const verified = await contracts.verify(chain)
    expect(verified).toHaveLength(7 + libraries.length)
    for (const { name, hasCode, isOurs } of verified) expect([name, hasCode, isOurs]).toEqual([name, true, true])
    // Some did not change since.
    const earlier = verified.filter(({ earlierBuild }) => earlierBuild !== undefined)
    expect(earlier.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['LendingMarketImplementation', 'LoanModule', 'SatelliteDeployer']),
    )
    for (const { earlierBuild } of earlier) expect(earlierBuild).toMatch(/^2026-11-1\d$/)
  })

  it('are recorded anew as what the factory serves', async () => {
    const address = addresses.LiquidationRouter ?? '0x'
    expect((await suites.setImplementation(chain, 'router', address)).recorded).toEqual([
      { name: 'LiquidationRouterImplementation', address },
    ])
  })

  it('are not ours with one other byte, another library, another factory or another proxy', async () => {
    const changes = async (address: Address, change: (text: string) => string) => {
      const before = (await node.publicClient.getCode({ address })) ?? '0x'
      await node.testClient.setCode({ address, bytecode: change(before) as Hex })
      const found = await strangers()
      await node.testClient.setCode({ address, bytecode: before })
      return found
    }
    const at = (name: string) => addresses[name] ?? '0x'
    const flipped = await changes(at('LoanModule'), (text) => `${text.slice(0, -2)}ff`)
    expect(flipped).toEqual(['LendingMarketImplementation', 'LoanModule'])
    const pool = at('PoolModule').slice(2)
    const view = at('ViewModule').slice(2)
    const relinked = await changes(at('LendingMarket'), (text) => text.replaceAll(pool, view))
    expect(relinked).toEqual(['LendingMarketImplementation'])
    const once = await changes(at('LendingMarket'), (text) => text.replace(pool, view))
    expect(once).toEqual(['LendingMarketImplementation'])
    const given = factory.slice(2)
    const stranger = wallet(8).address.slice(2).toLowerCase()
    const ofAnother = await changes(at('InsuranceFund'), (text) => text.replaceAll(given, stranger))
    expect(ofAnother).toEqual(['InsuranceFundImplementation'])
    const inOnePlace = await changes(at('InsuranceFund'), (text) => text.replace(given, stranger))
    expect(inOnePlace).toEqual(['InsuranceFundImplementation'])
    const elsewhere = padHex(at('LendingMarket'), { size: 32 })
    const index = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    await node.testClient.setStorageAt({ address: factory, index, value: elsewhere })
    expect(await strangers()).toContain('LendingFactory')
    await expect(record('LendingFactory', factory)).rejects.toMatchObject({ code: 'NOT_THIS_CONTRACT' })
    await node.testClient.setStorageAt({ address: factory, index, value: padHex(at('LendingFactory'), { size: 32 }) })
    expect(await strangers()).toEqual([])
  })

  it('do not push others from the record unless told to, and have to stand under a name that is known', async () => {
    const suite = await deployLendingSuite(node, { owner, platformWallet })
    await expect(record('LendingFactory', suite.factory)).rejects.toMatchObject({ code: 'OTHER_FACTORY' })
    await record('LendingFactory', suite.factory, true)
    expect(await strangers()).toEqual([])
    for (const { earlierBuild } of await contracts.verify(chain)) expect(earlierBuild).toBeUndefined()
    await expect(record('LoanModule', suite.factory)).rejects.toMatchObject({ code: 'UNKNOWN_CONTRACT' })
    await expect(record('StockFactory', suite.factory)).rejects.toMatchObject({ code: 'NOT_THIS_CONTRACT' })
    await expect(record('SignedOrderSettlement', wallet(5).address)).rejects.toMatchObject({
      code: 'NOT_THIS_CONTRACT',
    })
  })

  it('are recorded in trading too, whose code holds the domain of signatures', async () => {
    const { stockVault, vaultImplementation, signedOrderSettlement } = await deployTradingSuite(node)
    const { recorded } = await record('StockTradingVault', stockVault)
    expect(recorded).toContainEqual({ name: 'TradingVaultImplementation', address: vaultImplementation })
    expect((await record('SignedOrderSettlement', signedOrderSettlement)).recorded).toEqual([
      { name: 'SignedOrderSettlement', address: signedOrderSettlement },
    ])
    const before = (await node.publicClient.getCode({ address: signedOrderSettlement })) ?? '0x'
    const chainId = (31337).toString(16).padStart(64, '0')
    const bytecode = before.replace(chainId, (1).toString(16).padStart(64, '0')) as Hex
    expect(bytecode).not.toBe(before)
    await node.testClient.setCode({ address: signedOrderSettlement, bytecode })
    await expect(record('SignedOrderSettlement', signedOrderSettlement)).rejects.toMatchObject({
      code: 'NOT_THIS_CONTRACT',
    })
  })
})
