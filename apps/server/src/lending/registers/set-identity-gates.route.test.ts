import { demoIdentityRegistryAbi, demoIdentityRegistryBytecode } from '@tallystick/abi'
import { deploy, deploySafe, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImplementations } from '../../../test/lending/implementations.ts'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, wrappedSnapshot } from '../../../test/lending/setting-faults.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

describe('the identity gates of a market', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  let register: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    register = await createRegister()
  })
  afterAll(() => world.close())

  const createRegister = async () =>
    (
      await deploy(world.node, {
        abi: demoIdentityRegistryAbi,
        bytecode: demoIdentityRegistryBytecode,
        args: [wallet(0).address],
      })
    ).toLowerCase() as Address
  const path = (marketId = market.marketId) => `${V2}/markets/${marketId}/identity-gates`
  const get = async (marketId?: string) => must(await world.deployer.get(path(marketId))).body.data
  const post = (body: unknown, marketId?: string) => world.deployer.post(path(marketId), body)
  const install = async (body: unknown) => {
    const txHash = await world.sendRaw(world.deployer.wallet, must(await post(body)).body.data)
    return must(await post({ txHash })).body.data
  }

  it('are set one by one, and cleared again', async () => {
    expect(await get()).toEqual({
      marketAddress: market.marketAddress,
      generation: 'TWO_REGISTERS',
      adjustable: true,
      upgradeRequired: false,
      pendingCurator: false,
      priceSource: 'NAV',
      borrowerRegistry: null,
      providerRegistry: null,
      operatorOnlyLiquidity: true,
      borrowerGateRequired: false,
      providerGateRequired: false,
      vaultOnlyLiquidity: true,
      providerGateReadBy: 'VAULTS',
      borrower: { address: null, shape: 'none', usable: true },
      provider: { address: null, shape: 'none', usable: true },
    })
    const built = must(await post({ borrowerRegistry: register })).body.data
    expect(built).toMatchObject({
      functionName: 'setIdentityGates',
      to: market.marketAddress,
      transaction: { to: market.marketAddress, data: built.data },
      value: '0',
      chainId: 31337,
      simulation: { success: true },
      borrowerRegistry: register,
      providerRegistry: null,
      unchanged: false,
      requiredRole: 'DEFAULT_ADMIN_ROLE',
      heldByThisInstance: true,
      confirmWith: { endpoint: path(), field: 'txHash', body: { txHash: null } },
    })
    const first = await install({ borrowerRegistry: register })
    expect(first).toMatchObject({
      borrowerRegistry: register,
      providerRegistry: null,
      signedBy: world.deployer.wallet.address.toLowerCase(),
      gates: { borrower: { address: register, shape: 'bool', usable: true }, provider: { shape: 'none' } },
    })
    const second = await install({ providerRegistry: world.security.registry })
    expect(second).toMatchObject({ borrowerRegistry: register, providerRegistry: world.security.registry })
    expect(await install({ borrowerRegistry: '', providerRegistry: null })).toMatchObject({
      borrowerRegistry: null,
      providerRegistry: null,
    })
  })

  it('cost one round trip to read, also just after they were changed', async () => {
    expect(await world.roundTrips(() => get())).toBe(1)
    await install({ borrowerRegistry: register, providerRegistry: world.security.registry })
    expect(await world.roundTrips(() => get())).toBe(1)
  })

  it('are read from the chain, whatever was taken down last', async () => {
    const other = await createRegister()
    await life.call(market.marketAddress, abis.market, 'setIdentityGates', [other, register])
    expect(await get()).toMatchObject({
      borrower: { address: other, shape: 'bool' },
      provider: { address: register, shape: 'bool' },
    })
  })

  it('show a register that answers nothing as one that refuses everyone', async () => {
    const silent = world.cash
    await life.call(market.marketAddress, abis.market, 'setIdentityGates', [silent, wallet(5).address])
    expect(await get()).toMatchObject({
      borrower: { address: silent, shape: 'unreadable', usable: false },
      provider: { shape: 'unreadable', usable: false },
    })
  })

  it('stay as they are when nothing is asked, or what is asked is no register', async () => {
    await install({ borrowerRegistry: register, providerRegistry: null })
    expectRefusal(await post({}), 409, 'IDENTITY_GATES_UNCHANGED')
    expectRefusal(await post({ borrowerRegistry: register }), 409, 'IDENTITY_GATES_UNCHANGED')
    const silent = await post({ providerRegistry: wallet(5).address })
    expect(expectRefusal(silent, 422, 'IDENTITY_REGISTRY_INCOMPATIBLE').body.error.details).toEqual({
      field: 'providerRegistry',
    })
    for (const bad of [
      { borrowerRegistry: 'x' },
      { providerRegistry: '0x12' },
      { borrowerRegistry: register, other: 1 },
    ])
      expectRefusal(await post(bad), 400, 'VALIDATION_ERROR')
  })

  it('cannot be cleared where prices come from a market', async () => {
    const request = {
      borrowAssetAddress: await world.createCash('MKT'),
      priceSource: 'MARKET',
      identityRegistry: register,
    }
    const priced = await life.adopted(request)
    expect(await get(priced.marketId)).toMatchObject({ priceSource: 'MARKET', borrowerGateRequired: true })
    const cleared = await post({ borrowerRegistry: null }, priced.marketId)
    expect(expectRefusal(cleared, 409, 'IDENTITY_REGISTRY_REQUIRED').body.error.details).toEqual({
      field: 'borrowerRegistry',
    })
  })

  it('are fixed before the adoption, and in markets of the first generation', async () => {
    const request = { borrowAssetAddress: await world.createCash('SEEK'), identityRegistry: register }
    const { marketId } = await world.deployMarket(request)
    expect(await get(marketId)).toMatchObject({ pendingCurator: true, adjustable: false, borrowerRegistry: register })
    expectRefusal(await post({ borrowerRegistry: null }, marketId), 409, 'MARKET_PENDING_CURATOR')

    const implementations = createImplementations(world)
    await implementations.serve('market', await implementations.create('FirstGenerationMarket', 1_000n))
    const first = await life.adopted({ borrowAssetAddress: await world.createCash('GEN1') })
    await implementations.serveCurrent('market')
    expect(await get(first.marketId)).toMatchObject({
      generation: 'SINGLE_REGISTER',
      adjustable: false,
      upgradeRequired: true,
      vaultOnlyLiquidity: false,
      providerGateReadBy: 'MARKET',
    })
    expectRefusal(await post({ borrowerRegistry: register }, first.marketId), 409, 'MARKET_UPGRADE_REQUIRED')
  })

  it('are never shown as open because they could not be read', async () => {
    for (const attempt of [() => world.deployer.get(path()), () => post({ borrowerRegistry: null })]) {
      const lost = await world.withoutNode(attempt)
      expect(expectRefusal(lost, 503, 'IDENTITY_GATES_UNREADABLE').headers['retry-after']).toBe('1')
      expectRefusal(await world.withBroken(market.marketAddress, attempt), 503, 'IDENTITY_GATES_UNREADABLE')
    }
  })

  it('are confirmed by nothing but their change', async () => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => post({ txHash }),
      target: market.marketAddress,
      other: { abi: abis.market, functionName: 'pokeSnapshot' },
    })
    expectRefusal(await post({ txHash: '0x12' }), 400, 'VALIDATION_ERROR')
    const txHash = await wrappedSnapshot(world, market.marketAddress)
    expectRefusal(await post({ txHash }), 400, 'TX_NOT_VERIFIED')
    expectRefusal(await world.withoutNode(() => post({ txHash })), 503, 'CHAIN_UNAVAILABLE')
  })

  it('are confirmed through a Safe, also when the market cannot be read right after', async () => {
    const safe = await deploySafe(world.node, [wallet(3)])
    const terms = { admin: safe.address }
    const owned = await life.adopted({ borrowAssetAddress: await world.createCash('SAFE') }, { terms })
    const built = must(await post({ borrowerRegistry: register }, owned.marketId)).body.data
    expect(built).toMatchObject({ heldByThisInstance: false, signerAddress: null, note: expect.any(String) })
    const { receipt } = await safe.execThroughSafe(built.transaction)
    const confirm = () => post({ txHash: receipt.transactionHash }, owned.marketId)
    const { data } = must(await world.withBroken(owned.marketAddress, confirm)).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', borrowerRegistry: register, gates: null })
    expect(must(await confirm()).body.data.gates).toMatchObject({ borrowerRegistry: register })
  })
})
