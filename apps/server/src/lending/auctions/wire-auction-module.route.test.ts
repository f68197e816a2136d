import { readFileSync } from 'node:fs'
import { dutchAuctionVenueAbi, dutchAuctionVenueBytecode } from '@tallystick/abi'
import { callerAbi, callerBytecode, greedyVenueAbi, greedyVenueBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, deployTrex, send, wallet } from '@tallystick/testkit'
import { type Address, type Hex, padHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createContract, createListedToken, createVenue } from '../../../test/lending/setup-helpers.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'
import { roles } from '../core/index.ts'

const released = new URL(
  '../../../../../contracts/test/fixtures/lending/second-generation/creation-code.json',
  import.meta.url,
)
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

describe('wiring an auction module', () => {
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    market = await life.adopted()
  })
  afterAll(() => world.close())

  const path = (marketId = market.marketId) => `${V2}/markets/${marketId}/auction-module`
  const post = (body: object, marketId?: string) => world.deployer.post(path(marketId), body)
  const refusal = async (body: object, marketId?: string) => {
    const answer = await post(body, marketId)
    return [answer.status, answer.body.error?.code]
  }
  const fresh = async (symbol: string, request: object = {}, terms: object = {}) =>
    life.adopted({ borrowAssetAddress: await world.createCash(symbol), ...request }, { terms: { ...terms } })

  it('creates a venue, then asks for exactly what is missing, and follows its auctions once it is wired', async () => {
    const { data } = must(await post({})).body
    expect(data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'deploySecurityAuctionModule',
      contractCreation: true,
      value: '0',
      chainId: world.node.chainId,
      simulation: { simulated: true, success: true },
    })
    expect(Object.keys(data.transaction)).toEqual(['data'])
    const venue = await createContract(world, data.transaction.data)

    const built = must(await post({ moduleAddress: venue })).body.data
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTIONS',
      functionName: 'wireAuctionModule',
      moduleAddress: venue,
      tokenAdmission: {
        admitted: false,
        requirement: 'adapter_must_be_verified_holder',
        identityRegistry: world.security.registry,
        blocked: null,
      },
      reserve: { fundAddress: market.fund, venueAuthorizedOnFund: false, venueDrawsReserve: false },
      confirmWith: { endpoint: path(), body: { moduleAddress: venue, txHash: null } },
    })
    expect(built.steps).toMatchObject([
      { key: 'setAuctionModule', to: market.marketAddress, heldByThisInstance: true, simulation: { success: true } },
      { key: 'authorizeModuleOnRouter', to: market.router, heldByThisInstance: true, simulation: { success: true } },
      { key: 'verifyVenueAsHolder', to: world.security.registry, requiredRole: 'IDENTITY_REGISTRY_AGENT' },
    ])
    const [set, authorize, verify] = built.steps

    const txHash = await world.sendRaw(wallet(0), set)
    const confirmed = must(await post({ txHash, moduleAddress: venue })).body.data
    expect(confirmed).toEqual({ txHash, moduleAddress: venue, confirmed: ['setAuctionModule'] })
    expect(must(await post({ txHash })).body.data).toEqual(confirmed)
    const watched = await world.superuser`select kind from watched_contracts where address = ${venue}`
    expect(watched).toEqual([{ kind: 'venue' }])
    expect(await refusal({})).toEqual([409, 'MODULE_ALREADY_SET'])

    const routed = await world.sendRaw(wallet(0), authorize)
    expect(must(await post({ txHash: routed })).body.data).toMatchObject({
      moduleAddress: venue,
      confirmed: ['authorizeModuleOnRouter'],
    })
    await world.sendRaw(wallet(0), verify)
    const done = must(await post({ moduleAddress: venue })).body.data
    expect([done.steps, done.tokenAdmission.admitted]).toEqual([[], true])
  })

  it('takes both legs from one transaction, and knows them by their events', async () => {
    const held = await fresh('BOTH')
    const venue = await createVenue(world, world.deployer, held.marketId)
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    for (const address of [held.marketAddress, held.router])
      await life.call(address, abis.market, 'grantRole', [roles.DEFAULT_ADMIN_ROLE, caller])
    const { steps } = must(await post({ moduleAddress: venue }, held.marketId)).body.data
    const calls = steps.slice(0, 2).map(({ to, data }: { to: Address; data: string }) => ({
      target: to,
      value: 0n,
      callData: data,
    }))
    const { transactionHash } = await send(world.node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [calls, false],
    })
    expect(must(await post({ txHash: transactionHash }, held.marketId)).body.data).toEqual({
      txHash: transactionHash,
      verifiedBy: 'receipt-log',
      moduleAddress: venue,
      confirmed: ['setAuctionModule', 'authorizeModuleOnRouter'],
    })
  })

  it('proves what a Safe wired, and can be had as a file for it', async () => {
    const safe = await deploySafe(world.node, [wallet(3)])
    const held = await fresh('SAFE', {}, { admin: safe.address })
    const venue = await createVenue(world, world.deployer, held.marketId)
    const file = must(await world.deployer.post(`${path(held.marketId)}?format=safe`, { moduleAddress: venue })).body
    expect(file.transactions).toHaveLength(3)
    const built = must(await post({ moduleAddress: venue }, held.marketId)).body.data
    // The admin is not a wallet of the instance, and is known all the same.
    expect(built.steps[0]).toMatchObject({ heldByThisInstance: false, simulation: { success: true } })
    const { receipt } = await safe.execThroughSafe(file.transactions[0])
    const { data } = must(await post({ txHash: receipt.transactionHash }, held.marketId)).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', moduleAddress: venue })
  })

  it('says of a register that wants claims why it cannot build, and asks a list for its place', async () => {
    const trex = await deployTrex(world.node)
    await world.importToken(world.deployer, trex.token)
    const claimed = await life.adopted({ collateralTokenAddress: trex.token.toLowerCase() })
    const venue = await createVenue(world, world.deployer, claimed.marketId)
    const { data } = must(await post({ moduleAddress: venue }, claimed.marketId)).body
    expect(data.steps.map(({ key }: { key: string }) => key)).toEqual(['setAuctionModule', 'authorizeModuleOnRouter'])
    expect(data.tokenAdmission).toMatchObject({ admitted: false, blocked: { code: 'ONCHAINID_REQUIRED' } })
    const token = await createListedToken(world)
    const listed = await life.adopted({ collateralTokenAddress: token, mode: 'CUSTODY' })
    const other = await createVenue(world, world.deployer, listed.marketId)
    const answer = must(await post({ moduleAddress: other }, listed.marketId)).body.data
    expect(answer.steps[2]).toMatchObject({
      key: 'authorizeVenueOnToken',
      to: token,
      heldByThisInstance: true,
      simulation: { success: true },
    })
  })

  it('takes no venue that was made for something else', async () => {
    const { security, cash } = world
    const made = (args: readonly unknown[]) =>
      deploy(world.node, { abi: dutchAuctionVenueAbi, bytecode: dutchAuctionVenueBytecode, args })
    const right = [market.marketAddress, security.token, cash, 10n ** 18n]
    for (const [place, value] of [market.router, cash, security.token, 1n].entries()) {
      const args = right.map((one, index) => (index === place ? value : one))
      expect(await refusal({ moduleAddress: await made(args) })).toEqual([400, 'MODULE_MARKET_MISMATCH'])
    }
    // Answers every question like a venue, and keeps what it is sent: its code gives it away.
    const greedy = await deploy(world.node, { abi: greedyVenueAbi, bytecode: greedyVenueBytecode, args: right })
    expect(await refusal({ moduleAddress: greedy })).toEqual([400, 'MODULE_MARKET_MISMATCH'])
    for (const moduleAddress of [cash, wallet(9).address])
      expect(await refusal({ moduleAddress })).toEqual([400, 'MODULE_MARKET_MISMATCH'])
    for (const moduleAddress of ['0x12', wallet(9).address.replace(/[a-f]/, (letter) => letter.toUpperCase())])
      expect(await refusal({ moduleAddress })).toEqual([400, 'INVALID_MODULE_ADDRESS'])
  })

  it('takes a venue of an earlier build where the factory is as old, for exactly this market', async () => {
    const code: Record<string, Hex> = JSON.parse(readFileSync(released, 'utf8'))
    const { security, cash, suite, node } = world
    const right = [market.marketAddress, security.token, cash, 10n ** 18n]
    const made = (args: readonly unknown[]) =>
      deploy(node, { abi: dutchAuctionVenueAbi, bytecode: code.DutchAuctionVenue ?? '0x', args })
    const moduleAddress = (await made(right)).toLowerCase()
    // The factory of this release knows better ones.
    expect(await refusal({ moduleAddress })).toEqual([400, 'MODULE_MARKET_MISMATCH'])
    const runs = (implementation: Address) =>
      node.testClient.setStorageAt({
        address: suite.factory,
        index: IMPLEMENTATION_SLOT,
        value: padHex(implementation, { size: 32 }),
      })
    await runs(await deploy(node, { abi: [], bytecode: code.LendingFactory ?? '0x' }))
    expect(must(await post({ moduleAddress })).body.data).toMatchObject({ moduleAddress })
    for (const [place, value] of [market.router, cash, security.token, 1n].entries()) {
      const args = right.map((one, index) => (index === place ? value : one))
      expect(await refusal({ moduleAddress: await made(args) })).toEqual([400, 'MODULE_MARKET_MISMATCH'])
    }
    await runs(suite.factoryImplementation)
  })

  it('waits for a lender of record, and is not for markets that an exchange prices', async () => {
    const seeking = await world.deployMarket({ borrowAssetAddress: await world.createCash('SEEK') })
    expect(await refusal({}, seeking.marketId)).toEqual([409, 'MARKET_PENDING_CURATOR'])
    const request = { priceSource: 'MARKET', identityRegistry: world.security.registry, mode: 'CUSTODY' }
    const priced = await fresh('MKT', request, { realizationMode: 1 })
    expect(await refusal({}, priced.marketId)).toEqual([400, 'AUCTION_UNSUPPORTED_PRICE_SOURCE'])
  })

  it('is confirmed by nothing else than its transactions', async () => {
    const confirm = (txHash: string) => post({ txHash })
    const { marketAddress, router } = market
    await expectTransactionFaults(world, {
      confirm,
      target: marketAddress,
      other: { abi: abis.market, functionName: 'syncRate' },
    })
    const other = await createVenueOf(market)
    const { transactionHash: txHash } = await life.call(marketAddress, abis.market, 'setAuctionModule', [other])
    const named = { txHash, moduleAddress: wallet(9).address }
    expect(await refusal(named)).toEqual([400, 'TX_NOT_VERIFIED'])
    expect(await refusal({ txHash, moduleAddress: '0x12' })).toEqual([400, 'TX_NOT_VERIFIED'])
    const revoked = await life.call(router, abis.router, 'authorizeLendingMarket', [other, false])
    expect(await refusal({ txHash: revoked.transactionHash })).toEqual([400, 'TX_NOT_VERIFIED'])
    const itself = await life.call(router, abis.router, 'authorizeLendingMarket', [marketAddress, true])
    expect(await refusal({ txHash: itself.transactionHash })).toEqual([400, 'TX_NOT_VERIFIED'])
  })

  const createVenueOf = (of: LiveMarket) =>
    deploy(world.node, {
      abi: dutchAuctionVenueAbi,
      bytecode: dutchAuctionVenueBytecode,
      args: [of.marketAddress, world.security.token, world.cash, 10n ** 18n],
    })
})
