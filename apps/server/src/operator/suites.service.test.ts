import { demoCashAbi, demoCashBytecode, lendingFactoryAbi } from '@tallystick/abi'
import { implementationNames, planLendingSuite, planStockSuite, planTradingSuite } from '@tallystick/deployer'
import {
  deploy,
  deployLendingSuite,
  deployOtherImplementation,
  deployStockSuite,
  deployTradingSuite,
  send,
  startEmptyChain,
  type TestChain,
  transact,
  wallet,
} from '@tallystick/testkit'
import { type Address, type Hex, padHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../test/world.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { createContractsService } from './contracts.service.ts'
import { createSuitesService } from './suites.service.ts'

const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const owner = wallet(3)
const platformWallet = wallet(4).address
const request = { owner: owner.address, platformWallet, replace: false }
const plan = planLendingSuite(request)
const everything = Object.entries(plan.contracts).map(([name, { address }]) => ({ name, address }))

describe('the lending contracts of a deployment', () => {
  let node: TestChain
  let world: World
  let chain: Chain
  let lending: ReturnType<typeof createSuitesService>
  let contracts: ReturnType<typeof createContractsService>

  beforeEach(async () => {
    node = await startEmptyChain()
    world = await createWorld({ rpcUrls: [node.url] })
    chain = world.chains.get(31337)
    lending = createSuitesService(world.database, world)
    contracts = createContractsService(world.database, world)
  })
  afterEach(async () => {
    await world.close()
    await node.stop()
  })

  const sign = async (transactions: readonly { to: Address; data: Hex; signer: string }[]) => {
    for (const { to, data, signer } of transactions) {
      const account = signer === 'owner' ? owner : wallet(7)
      await transact(node, account, { to, data, gas: 14_000_000n })
    }
  }
  const deployed = async () => {
    await deployLendingSuite(node, { owner, platformWallet })
    return lending.deployLending(chain, request)
  }
  const strangers = async () => (await contracts.verify(chain)).filter(({ isOurs }) => !isOurs).map(({ name }) => name)
  const asOwner = (functionName: string, args: readonly unknown[]) =>
    send(node, { address: plan.suite.factory, abi: lendingFactoryAbi, functionName, args, account: owner })

  it('are told as what is left to sign, and put on record when nothing is', async () => {
    const first = await lending.deployLending(chain, request)
    expect(first.recorded).toEqual([])
    expect(first.missing).toEqual(
      plan.steps.map(({ to, data, description, signer }) => ({
        to,
        data,
        value: '0',
        chainId: 31337,
        description,
        signer,
      })),
    )
    await sign(first.missing.slice(0, 9))
    expect((await lending.deployLending(chain, request)).missing).toEqual(first.missing.slice(9))
    expect(await contracts.verify(chain)).toEqual([])
    await sign(first.missing.slice(9))
    expect(await lending.deployLending(chain, request)).toEqual({ missing: [], recorded: everything })
    expect(await lending.deployLending(chain, request)).toEqual({ missing: [], recorded: everything })
    const proven = everything.map((contract) => ({ ...contract, hasCode: true, isOurs: true }))
    expect(await contracts.verify(chain)).toEqual(expect.arrayContaining(proven))
    expect(await contracts.verify(chain)).toHaveLength(everything.length)
  })

  it('are not put on record with other code, or when the factory runs something else', async () => {
    await deployLendingSuite(node, { owner, platformWallet })
    const { LoanModule } = plan.contracts
    const address = LoanModule?.address ?? '0x'
    const code = (await node.publicClient.getCode({ address })) ?? '0x'
    await node.testClient.setCode({ address, bytecode: `${code.slice(0, -2)}ff` as Hex })
    await expect(lending.deployLending(chain, request)).rejects.toThrow(
      `The code at ${address} is not what LoanModule leaves`,
    )
    await node.testClient.setCode({ address, bytecode: code })
    await node.testClient.setStorageAt({
      address: plan.suite.factory,
      index: IMPLEMENTATION_SLOT,
      value: padHex(plan.suite.market, { size: 32 }),
    })
    await expect(lending.deployLending(chain, request)).rejects.toThrow(`runs ${plan.suite.market}, not`)
    expect(await contracts.verify(chain)).toEqual([])
  })

  it('stay proven under another owner, and no longer when code or proxy changes', async () => {
    await deployed()
    await asOwner('transferOwnership', [wallet(5).address])
    await send(node, {
      address: plan.suite.factory,
      abi: lendingFactoryAbi,
      functionName: 'acceptOwnership',
      account: wallet(5),
    })
    expect(await strangers()).toEqual([])
    const { router, market, factory } = plan.suite
    const code = await node.publicClient.getCode({ address: router })
    await node.testClient.setCode({ address: router, bytecode: `${code?.slice(0, -2)}ff` as Hex })
    await node.testClient.setCode({ address: market, bytecode: '0x' })
    await node.testClient.setStorageAt({
      address: factory,
      index: IMPLEMENTATION_SLOT,
      value: padHex(router, { size: 32 }),
    })
    expect(await strangers()).toEqual([
      'LendingFactory',
      'LendingMarketImplementation',
      'LiquidationRouterImplementation',
    ])
    const verified = await contracts.verify(chain)
    expect(verified.filter(({ hasCode }) => !hasCode).map(({ name }) => name)).toEqual(['LendingMarketImplementation'])
  })

  it('belong to one factory unless told otherwise', async () => {
    await deployed()
    const another = { ...request, owner: wallet(6).address }
    await expect(lending.deployLending(chain, another)).rejects.toMatchObject({ code: 'OTHER_FACTORY' })
    const { factory } = await deployLendingSuite(node, { owner: wallet(6), platformWallet })
    const { recorded } = await lending.deployLending(chain, { ...another, replace: true })
    expect(recorded).toContainEqual({ name: 'LendingFactory', address: factory })
    expect(await strangers()).toEqual([])
  })

  it('get new implementations for the factory on record', async () => {
    await expect(lending.deployImplementations(chain, { platformWallet })).rejects.toMatchObject({ code: 'NO_FACTORY' })
    await deployed()
    const other = { platformWallet: wallet(8).address }
    const { missing } = await lending.deployImplementations(chain, other)
    expect(missing.map(({ description }) => description.slice(0, 34))).toEqual([
      'Create LendingMarketImplementation',
      `Let the factory ${plan.suite.factory}`.slice(0, 34),
    ])
    await sign(missing)
    const { recorded } = await lending.deployImplementations(chain, other)
    expect(recorded.map(({ name }) => name)).toContain(implementationNames.market)
    expect(await strangers()).toEqual([])
  })

  it('move forward only, to implementations of their own factory', async () => {
    const { factory, rateModel } = plan.suite
    const set = (kind: string, address: Address) => lending.setImplementation(chain, kind, address)
    await expect(set('rateModel', rateModel)).rejects.toMatchObject({ code: 'NO_FACTORY' })
    await deployed()
    const args = ['Test Euro', 'tEUR', 6, owner.address]
    const cash = await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args })
    const other = async (version: number, of = factory) =>
      (await deployOtherImplementation(node, { factory: of, version })).toLowerCase() as Address
    await expect(set('engine', rateModel)).rejects.toThrow(
      'Known: market, rateModel, insuranceFund, router, stockToken, complianceModule.',
    )
    await expect(set('rateModel', wallet(9).address)).rejects.toMatchObject({ code: 'NO_CODE' })
    await expect(set('rateModel', cash)).rejects.toMatchObject({ code: 'NOT_AN_IMPLEMENTATION' })
    await expect(set('rateModel', await other(9, rateModel))).rejects.toMatchObject({ code: 'NOT_AN_IMPLEMENTATION' })
    await expect(set('rateModel', await other(2))).rejects.toThrow('has version 2, but version 2 is served already')
    expect(await set('rateModel', rateModel)).toEqual({
      missing: [],
      recorded: [{ name: 'InterestRateModelImplementation', address: rateModel }],
    })
    const newer = await other(3)
    const { missing } = await set('rateModel', newer)
    expect(missing).toMatchObject([{ to: factory, value: '0', chainId: 31337, signer: 'owner' }])
    await sign(missing)
    await expect(set('rateModel', newer)).rejects.toThrow('is served already, but its code is not what')
    await expect(lending.deployLending(chain, request)).rejects.toThrow('serves version 3 of its rateModel already')
  })

  it('are not told for a chain that lacks the deployment proxy', async () => {
    await node.testClient.setCode({ address: '0x4e59b44847b379578588920ca78fbf26c0b4956c', bytecode: '0x' })
    await expect(lending.deployLending(chain, request)).rejects.toMatchObject({ code: 'PLAN_REFUSED' })
  })

  describe('of stocks', () => {
    const stocks = planStockSuite({ owner: owner.address })
    const contractsOfStocks = Object.entries(stocks.contracts).map(([name, { address }]) => ({ name, address }))
    const stockRequest = { owner: owner.address, replace: false }

    it('are told as what is left to sign, put on record, and proven', async () => {
      const first = await lending.deployStocks(chain, stockRequest)
      expect(first.missing).toHaveLength(stocks.steps.length)
      await sign(first.missing)
      expect(await lending.deployStocks(chain, stockRequest)).toEqual({ missing: [], recorded: contractsOfStocks })
      expect(await strangers()).toEqual([])
    })

    it('do not push others from the record unless told to', async () => {
      await deployStockSuite(node, { owner })
      await lending.deployStocks(chain, stockRequest)
      const other = { owner: wallet(5).address, replace: false }
      await expect(lending.deployStocks(chain, other)).rejects.toMatchObject({
        code: 'OTHER_FACTORY',
        detail: expect.stringContaining(`The IdentityRegistry on record is ${stocks.suite.identityRegistry}`),
      })
      expect((await lending.deployStocks(chain, { ...other, replace: true })).missing.length).toBeGreaterThan(0)
    })

    it('are not ours any more when a proxy runs something else', async () => {
      await deployStockSuite(node, { owner })
      await lending.deployStocks(chain, stockRequest)
      const value = padHex(stocks.suite.complianceModule, { size: 32 })
      await node.testClient.setStorageAt({ address: stocks.suite.stockFactory, index: IMPLEMENTATION_SLOT, value })
      expect(await strangers()).toEqual(['StockFactory'])
      await expect(lending.deployStocks(chain, stockRequest)).rejects.toMatchObject({ code: 'NOT_THIS_CONTRACT' })
    })

    it('serve a newer stock token only from the stock factory', async () => {
      await expect(lending.setImplementation(chain, 'stockToken', stocks.suite.stockToken)).rejects.toMatchObject({
        code: 'NO_FACTORY',
        detail: expect.stringContaining('deploy stocks first'),
      })
      await deployStockSuite(node, { owner })
      await lending.deployStocks(chain, stockRequest)
      expect(await lending.setImplementation(chain, 'stockToken', stocks.suite.stockToken)).toEqual({
        missing: [],
        recorded: [{ name: 'StockTokenImplementation', address: stocks.suite.stockToken }],
      })
    })
  })
  describe('of trading', () => {
    const parties = { admin: owner.address, operator: wallet(5).address, feeRecipient: wallet(6).address }
    const trading = planTradingSuite(parties)
    const tradingRequest = { ...parties, replace: false }

    it('are told, put on record, proven, and not pushed from it by others', async () => {
      const first = await lending.deployTrading(chain, tradingRequest)
      expect(first.missing.map(({ signer }) => signer)).toEqual(trading.steps.map(() => 'anyone'))
      await sign(first.missing)
      const { missing, recorded } = await lending.deployTrading(chain, tradingRequest)
      expect(missing).toEqual([])
      expect(recorded).toEqual(Object.entries(trading.contracts).map(([name, { address }]) => ({ name, address })))
      expect(await strangers()).toEqual([])
      const other = { ...tradingRequest, operator: wallet(7).address }
      await expect(lending.deployTrading(chain, other)).rejects.toMatchObject({
        code: 'OTHER_FACTORY',
        detail: expect.stringContaining(`The StockTradingVault on record is ${trading.suite.stockVault}`),
      })
      expect((await lending.deployTrading(chain, { ...other, replace: true })).missing).toHaveLength(2)
    })

    it('are not ours any more when a vault runs something else', async () => {
      await deployTradingSuite(node, parties)
      await lending.deployTrading(chain, tradingRequest)
      const value = padHex(trading.suite.signedOrderSettlement, { size: 32 })
      await node.testClient.setStorageAt({ address: trading.suite.commodityVault, index: IMPLEMENTATION_SLOT, value })
      expect(await strangers()).toEqual(['CommodityTradingVault'])
      await expect(lending.deployTrading(chain, tradingRequest)).rejects.toMatchObject({ code: 'NOT_THIS_CONTRACT' })
    })
  })
})
