import { demoIdentityRegistryAbi, demoIdentityRegistryBytecode, demoSecurityAbi } from '@tallystick/abi'
import { deploy, deployTrex, send, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type MarketLife } from '../../../test/lending/market-life.ts'
import { createListedToken, createVenue, doneOf, step, steps, V1 } from '../../../test/lending/setup-helpers.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { registerWallet } from '../../../test/signing.ts'
import { abis } from '../contracts.ts'
import { roles } from '../core/index.ts'

describe('the setup steps of a market', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let life: MarketLife

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    life = createMarketLife(world)
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  const read = (marketId: string) => steps(world.deployer, marketId)
  const sign = (call: { to: Address; data: `0x${string}` }) => world.sendRaw(world.deployer.wallet, call)

  it('name who has to do what in FREEZE mode, and give the calls; each disappears once it is done', async () => {
    const { security, deployer } = world
    const { marketId, marketAddress } = await world.deployMarket({ candidates: [deployer.wallet.address] })
    const { adapter, router, oracle } = await life.partsOf(marketId, marketAddress)
    const relayer = deployer.wallet.address.toLowerCase()
    const before = await read(marketId)
    expect(before).toMatchObject({
      complete: false,
      mode: 'FREEZE',
      priceSource: 'NAV',
      collateralAgent: null,
      liquidationRouterAddress: router,
      relayerAddress: relayer,
      curator: null,
      seekingCurator: true,
      operable: false,
      deploymentReadable: true,
      governance: { marketAdminHeldByInstance: false, oracleOwnedByInstance: false, oracleOwner: marketAddress },
    })
    expect(before.steps.map((one: { key: string }) => one.key)).toEqual([
      'adoptCurator',
      'grantAdapterAgentRole',
      'verifyRouterOnRegistry',
      'authorizeOracleSigner',
      'grantLiquidatorRole',
    ])
    expect(before.steps).toMatchObject([
      { done: false, requiredRole: 'NOMINATED_CANDIDATE', candidates: [relayer] },
      { done: false, requiredRole: 'TOKEN_AGENT_ADMIN', target: security.token, subject: adapter, blocked: false },
      { done: false, requiredRole: 'IDENTITY_REGISTRY_AGENT', target: security.registry, subject: router },
      { done: false, requiredRole: 'ORACLE_OWNER', target: oracle, subject: relayer },
      { done: false, requiredRole: 'DEFAULT_ADMIN_ROLE', target: marketAddress, subject: relayer },
    ])
    expect(before.steps.filter((one: object) => 'blocked' in one)).toHaveLength(1)
    expect(Object.keys(before.calldata)).toEqual([
      'grantAdapterAgentRole',
      'verifyRouterAsHolder',
      'authorizeOracleSigner',
      'grantLiquidatorRole',
    ])
    await sign(before.calldata.grantAdapterAgentRole)
    await sign(before.calldata.verifyRouterAsHolder)
    const admitted = await read(marketId)
    expect(doneOf(admitted)).toMatchObject({ grantAdapterAgentRole: true, verifyRouterOnRegistry: true })
    expect(Object.keys(admitted.calldata)).toEqual(['authorizeOracleSigner', 'grantLiquidatorRole'])
  })

  it('are complete when others price and liquidate, and done when the own wallet does', async () => {
    const other = wallet(5).address
    const oracleOwner = wallet(0).address
    const cash = await world.createCash('EURX')
    const terms = { priceSigner: other, liquidator: other, oracleOwner: wallet(4).address }
    const market = await life.adopted({ borrowAssetAddress: cash }, { terms })
    await life.admit(market)
    await world.follow()
    const delegated = await read(market.marketId)
    expect(delegated).toMatchObject({
      complete: true,
      operable: true,
      curator: oracleOwner.toLowerCase(),
      collateralAgent: oracleOwner.toLowerCase(),
      saleRecipient: oracleOwner.toLowerCase(),
      realizationMode: 'ISSUER_REDEMPTION',
      governance: { marketAdminHeldByInstance: true, oracleOwnedByInstance: false },
    })
    expect(step(delegated, 'authorizeOracleSigner')).toMatchObject({ done: false, delegated: true })
    expect(step(delegated, 'grantLiquidatorRole')).toMatchObject({ done: false, delegated: true })
    await world.sendRaw(wallet(4), delegated.calldata.authorizeOracleSigner)
    await sign(delegated.calldata.grantLiquidatorRole)
    const done = await read(market.marketId)
    expect(Object.values(doneOf(done))).toEqual([true, true, true, true, true])
    expect([done.complete, done.calldata]).toEqual([true, {}])
  })

  it('are not complete while nobody can liquidate', async () => {
    const cash = await world.createCash('GBPX')
    const other = wallet(6)
    const market = await life.adopted({ borrowAssetAddress: cash }, { terms: { liquidator: other.address } })
    await life.admit(market)
    await world.follow()
    expect((await read(market.marketId)).complete).toBe(true)
    await life.call(market.marketAddress, abis.market, 'revokeRole', [roles.LIQUIDATOR_ROLE, other.address])
    const after = await read(market.marketId)
    expect(after.complete).toBe(false)
    expect(step(after, 'grantLiquidatorRole')).toMatchObject({ done: false, delegated: false })
  })

  it('ask for adapter and router as holders in CUSTODY mode', async () => {
    const { marketId, marketAddress } = await world.deployMarket({ mode: 'CUSTODY' })
    const { adapter, router } = await life.partsOf(marketId, marketAddress)
    const data = await read(marketId)
    expect(data.steps.slice(1)).toMatchObject([
      { key: 'verifyAdapterAsHolder', requiredRole: 'IDENTITY_REGISTRY_AGENT', subject: adapter, done: false },
      { key: 'verifyRouterAsHolder', requiredRole: 'IDENTITY_REGISTRY_AGENT', subject: router, done: false },
      { key: 'authorizeOracleSigner', requiredRole: 'ORACLE_OWNER' },
      { key: 'grantLiquidatorRole', requiredRole: 'DEFAULT_ADMIN_ROLE' },
    ])
    expect(data.steps.filter((one: object) => 'blocked' in one)).toEqual([])
    await sign(data.calldata.verifyAdapterAsHolder)
    await sign(data.calldata.verifyRouterAsHolder)
    expect(doneOf(await read(marketId))).toMatchObject({ verifyAdapterAsHolder: true, verifyRouterAsHolder: true })
  })

  it('want no admission from a token that asks no register', async () => {
    const token = await world.createCash('PLAIN', 18)
    await world.importToken(world.deployer, token)
    const { marketId } = await world.deployMarket({ collateralTokenAddress: token, mode: 'CUSTODY' })
    const data = await read(marketId)
    expect(doneOf(data)).toMatchObject({ verifyAdapterAsHolder: true, verifyRouterAsHolder: true })
    expect(step(data, 'verifyRouterAsHolder').target).toBeNull()
  })

  it('put the contracts on the list of a token that keeps one', async () => {
    const token = await createListedToken(world)
    const { marketId } = await world.deployMarket({ collateralTokenAddress: token, mode: 'CUSTODY' })
    const data = await read(marketId)
    expect(step(data, 'authorizeAdapterOnToken')).toMatchObject({
      requiredRole: 'TOKEN_COMPLIANCE_ADMIN',
      target: token,
      done: false,
    })
    await sign(data.calldata.authorizeAdapterOnToken)
    await sign(data.calldata.authorizeRouterOnToken)
    expect(doneOf(await read(marketId))).toMatchObject({ authorizeAdapterOnToken: true, authorizeRouterOnToken: true })
  })

  it('say of a register that wants claims that an identity is needed, and believe only the register', async () => {
    const trex = await deployTrex(world.node)
    await world.importToken(world.deployer, trex.token)
    const request = { collateralTokenAddress: trex.token.toLowerCase() }
    const { marketId, marketAddress } = await world.deployMarket(request)
    const { router } = await life.partsOf(marketId, marketAddress)
    const before = await read(marketId)
    expect(step(before, 'verifyRouterOnRegistry')).toMatchObject({
      done: false,
      target: trex.identityRegistry.toLowerCase(),
      blockedCode: 'ONCHAINID_REQUIRED',
    })
    expect(before.calldata).not.toHaveProperty('verifyRouterAsHolder')
    await sign(before.calldata.grantAdapterAgentRole)
    // An identity without claims: registered, and still not verified.
    const abi = demoIdentityRegistryAbi
    const args = [router, trex.claimIssuer.address, 276]
    await send(world.node, { address: trex.identityRegistry, abi, functionName: 'registerIdentity', args })
    const registered = await read(marketId)
    expect(doneOf(registered)).toMatchObject({ grantAdapterAgentRole: true, verifyRouterOnRegistry: false })
    expect(step(registered, 'verifyRouterOnRegistry').blockedCode).toBe('IDENTITY_CLAIMS_REQUIRED')
    await trex.unregisterHolder(router)
    await trex.registerHolder(router)
    expect(doneOf(await read(marketId))).toMatchObject({ verifyRouterOnRegistry: true })
  })

  it('follow a token to its new register, and a market to its new venue', async () => {
    const security = await world.createSecurity('MOVE')
    await world.importToken(world.deployer, security.token)
    const market = await life.adopted({ collateralTokenAddress: security.token })
    await life.admit(market, [], security)
    expect(doneOf(await read(market.marketId))).toMatchObject({ verifyRouterOnRegistry: true })
    const registry = await deploy(world.node, {
      abi: demoIdentityRegistryAbi,
      bytecode: demoIdentityRegistryBytecode,
      args: [wallet(0).address],
    })
    await life.call(security.token, demoSecurityAbi, 'setIdentityRegistry', [registry])
    const moved = await read(market.marketId)
    expect(step(moved, 'verifyRouterOnRegistry')).toMatchObject({ done: false, target: registry.toLowerCase() })

    expect(step(moved, 'verifyVenueAsHolder')).toBeUndefined()
    const venue = await createVenue(world, world.deployer, market.marketId)
    const wiring = must(
      await world.deployer.post(`${V2}/markets/${market.marketId}/auction-module`, { moduleAddress: venue }),
    )
    await sign(wiring.body.data.steps[0])
    const wired = await read(market.marketId)
    expect(step(wired, 'verifyVenueAsHolder')).toMatchObject({ done: false, subject: venue })
    expect(Object.keys(wired.calldata)).toContain('verifyVenueAsHolder')
  })

  it('are blocked, and only there, when the token can no longer freeze', async () => {
    const security = await world.createSecurity('SOFT')
    await world.importToken(world.deployer, security.token)
    const { marketId } = await world.deployMarket({ collateralTokenAddress: security.token })
    const plain = await world.node.publicClient.getCode({ address: world.cash })
    await world.node.testClient.setCode({ address: security.token, bytecode: plain ?? '0x' })
    const data = await read(marketId)
    expect(step(data, 'grantAdapterAgentRole')).toMatchObject({
      done: false,
      blocked: true,
      blockedCode: 'TOKEN_NOT_FREEZE_COMPATIBLE',
    })
    expect(data.calldata).not.toHaveProperty('grantAdapterAgentRole')
  })

  it('cost one round trip, with a venue too once the record knows it', async () => {
    const cash = await world.createCash('CHFX')
    const market = await life.adopted({ borrowAssetAddress: cash })
    const venue = await createVenue(world, world.deployer, market.marketId)
    const path = `${V2}/markets/${market.marketId}/auction-module`
    const wiring = must(await world.deployer.post(path, { moduleAddress: venue }))
    await sign(wiring.body.data.steps[0])
    await world.follow()
    proxy.requests.length = 0
    expect(step(await read(market.marketId), 'verifyVenueAsHolder')).toMatchObject({ subject: venue })
    expect(proxy.requests).toHaveLength(1)
    proxy.requests.length = 0
    must(await world.deployer.get(`${V2}/markets/${market.marketId}/configuration-status`))
    expect(proxy.requests).toHaveLength(1)
  })

  it('never have a liquidator for an instance without a wallet', async () => {
    const party = await world.createParty(wallet(7))
    await world.importToken(party, world.security.token)
    const body = world.deployBody()
    const txHash = await world.sign(party.wallet, await party.post(`${V2}/markets/deploy`, body))
    const { collateralTokenAddress } = body
    const confirmed = must(await party.post(`${V2}/markets/deploy`, { collateralTokenAddress, txHash }))
    await world.superuser`delete from wallets where instance_id = ${party.instanceId}`
    const data = await steps(party, confirmed.body.data.market.id)
    expect(data.relayerAddress).toBeNull()
    expect(step(data, 'grantLiquidatorRole')).toMatchObject({
      done: false,
      subject: null,
      blockedCode: 'WALLET_NOT_CONFIGURED',
    })
    expect(data.calldata).not.toHaveProperty('grantLiquidatorRole')
  })

  it('take the primary wallet for the one that liquidates, and the oldest once that is gone', async () => {
    const [oldest, second, third] = [wallet(7), wallet(8), wallet(9)]
    const party = await world.createParty(oldest)
    for (const account of [second, third]) await registerWallet(party, account)
    await world.importToken(party, world.security.token)
    const body = world.deployBody()
    const txHash = await world.sign(oldest, await party.post(`${V2}/markets/deploy`, body))
    const { collateralTokenAddress } = body
    const confirmed = must(await party.post(`${V2}/markets/deploy`, { collateralTokenAddress, txHash }))
    const relayer = async () => (await steps(party, confirmed.body.data.market.id)).relayerAddress
    expect(await relayer()).toBe(oldest.address.toLowerCase())
    must(await party.post(`/access/api/wallets/${third.address}/promote`))
    expect(await relayer()).toBe(third.address.toLowerCase())
    must(await party.call('DELETE', `/access/api/wallets/${third.address}`))
    expect(await relayer()).toBe(oldest.address.toLowerCase())
  })

  it('say when the factory does not answer, and refuse when the market itself does not', async () => {
    const cash = await world.createCash('SEKX')
    const market = await life.adopted({ borrowAssetAddress: cash })
    const without = async (address: Address, work: () => Promise<void>) => {
      const code = await world.node.publicClient.getCode({ address })
      await world.node.testClient.setCode({ address, bytecode: '0x' })
      await work()
      await world.node.testClient.setCode({ address, bytecode: code ?? '0x' })
    }
    const seeking = await world.deployMarket({ borrowAssetAddress: await world.createCash('NOKX') })
    await without(world.suite.factory, async () => {
      const data = await read(seeking.marketId)
      expect(data).toMatchObject({ deploymentReadable: false, seekingCurator: null, curator: null })
      expect(step(data, 'adoptCurator')).toMatchObject({ done: false, blockedCode: 'FACTORY_READ_FAILED' })
      expect(step(await read(market.marketId), 'adoptCurator')).toMatchObject({ done: true, blockedCode: null })
    })
    await without(market.oracle, async () => {
      for (const path of ['setup-steps', 'configuration-status']) {
        const answer = await world.deployer.get(`${V1}/markets/${market.marketId}/${path}`)
        expect([answer.status, answer.body.error.code]).toEqual([503, 'MARKET_STATE_UNAVAILABLE'])
      }
    })
  })
})
