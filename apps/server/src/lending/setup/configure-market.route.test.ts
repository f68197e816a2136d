import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { deployTrex, send, type Trex, wallet } from '@tallystick/testkit'
import { type Address, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { allRolesTo, createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createListedToken } from '../../../test/lending/setup-helpers.ts'
import { abis } from '../contracts.ts'

describe('configuring a market', () => {
  let world: LendingWorld
  let life: MarketLife
  /** Adopted with other wallets for everything, in FREEZE mode. */
  let market: LiveMarket
  let seeking: { marketId: string; marketAddress: Address }
  let trex: Trex
  let claimed: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    const others = { liquidator: wallet(5).address, priceSigner: wallet(5).address, oracleOwner: wallet(4).address }
    market = await life.adopted({}, { terms: others })
    seeking = await world.deployMarket({ mode: 'CUSTODY' })
    trex = await deployTrex(world.node)
    await world.importToken(world.deployer, trex.token)
    claimed = await life.adopted({ collateralTokenAddress: trex.token.toLowerCase() })
  })
  afterAll(() => world.close())

  const configure = (body: object, marketId = market.marketId) =>
    world.deployer.post(`${V2}/markets/${marketId}/configure`, body)
  const refusal = async (body: object, marketId?: string) => {
    const answer = await configure(body, marketId)
    return [answer.status, answer.body.error?.code]
  }
  const status = async (marketId: string) =>
    must(await world.deployer.get(`${V2}/markets/${marketId}/configuration-status`)).body.data

  it('lists what is missing, who can sign it, and what waits for a lender of record', async () => {
    const { data } = must(await configure({}, seeking.marketId)).body
    expect(data).toMatchObject({
      requiresUserAction: true,
      pendingCurator: true,
      waitingForCurator: ['authorizeRelayerOnOracle', 'grantLiquidatorRole'],
      blockedSteps: {},
      confirmWith: { body: { txHash: null, action: null } },
    })
    expect(Object.keys(data.configurationCalldata)).toEqual(['verifyAdapterAsHolder', 'verifyRouterAsHolder'])
    expect(data.configurationCalldata.verifyAdapterAsHolder).toMatchObject({
      to: world.security.registry,
      value: '0',
      requiredAuthority: 'IDENTITY_REGISTRY_AGENT',
      heldByThisInstance: true,
      note: null,
    })
    expect(await status(seeking.marketId)).toMatchObject({
      fullyConfigured: false,
      pendingCurator: true,
      routerAuthorized: true,
      collateralAuthStatus: {
        mode: 'CUSTODY',
        adapterAuthorized: false,
        requirement: 'adapter_must_be_verified_holder',
        authorizedVia: null,
        identityRegistry: world.security.registry,
      },
      auctionVenue: null,
    })
  })

  it('builds one call at a time, by either of its names, and has nothing left in the end', async () => {
    for (const [action, named, flag, signer] of [
      ['grantAdapterAgentRole', 'grantAgentRoleToAdapter', 'alreadyAuthorized', wallet(0)],
      ['verifyRouterOnRegistry', 'verifyRouterAsHolder', 'alreadyVerified', wallet(0)],
      ['authorizeOracleSigner', 'authorizeRelayerOnOracle', 'alreadyAuthorized', wallet(4)],
      ['grantLiquidatorRole', 'grantLiquidatorRole', 'alreadyGranted', wallet(0)],
    ] as const) {
      const { data } = must(await configure({ action })).body
      expect(data).toMatchObject({
        action: named,
        requiresUserAction: true,
        simulation: { simulated: true, success: true },
        confirmWith: {
          endpoint: `${V2}/markets/${market.marketId}/confirm-configuration`,
          body: { txHash: null, action: named },
        },
      })
      await world.sendRaw(signer, data.configurationCalldata[named])
      const again = must(await configure({ action: named })).body.data
      expect(again).toMatchObject({ requiresUserAction: false, configurationCalldata: {}, [flag]: true })
    }
    expect(must(await configure({ action: 'setInsuranceFund' })).body.data.alreadyConfigured).toBe(true)
    expect(must(await configure({})).body.data).toMatchObject({ requiresUserAction: false, alreadyConfigured: true })
    expect(await status(market.marketId)).toMatchObject({
      fullyConfigured: true,
      collateralAuthStatus: { adapterAuthorized: true, requirement: 'adapter_must_hold_agent_role' },
      configurationCalldata: {},
    })
  })

  it('wires router and fund again after somebody unwired them', async () => {
    await life.call(market.router, abis.router, 'authorizeLendingMarket', [market.marketAddress, false])
    const other = await life.adopted({
      borrowAssetAddress: world.cash,
      mode: 'CUSTODY',
      collateralTokenAddress: await plain(),
    })
    await life.call(market.marketAddress, abis.market, 'setInsuranceFund', [other.fund])
    expect(await status(market.marketId)).toMatchObject({
      fullyConfigured: false,
      routerAuthorized: false,
      insuranceFund: other.fund,
    })
    const file = must(await world.deployer.post(`${V2}/markets/${market.marketId}/configure?format=safe`, {})).body
    expect(file.transactions.map(({ to }: { to: string }) => to)).toEqual([market.router, market.marketAddress])
    for (const action of ['authorizeOnRouter', 'setInsuranceFund']) {
      const { data } = must(await configure({ action })).body
      expect(data.simulation.success).toBe(true)
      await world.sendRaw(wallet(0), data.configurationCalldata[action])
    }
    expect(await status(market.marketId)).toMatchObject({ fullyConfigured: true, insuranceFund: market.fund })
  })

  const plain = async () => {
    const token = await world.createCash('PLN', 18)
    await world.importToken(world.deployer, token)
    return token
  }

  it('asks a token without register for nothing, and one with a list for its list', async () => {
    const free = await world.deployMarket({ collateralTokenAddress: await plain(), mode: 'CUSTODY' })
    const verified = must(await configure({ action: 'verifyAdapterAsHolder' }, free.marketId)).body.data
    expect(verified).toMatchObject({ requiresUserAction: false, alreadyVerified: true })
    expect(await refusal({ action: 'authorizeAdapterOnToken' }, free.marketId)).toEqual([400, 'ACTION_NOT_APPLICABLE'])
    expect((await status(free.marketId)).collateralAuthStatus).toMatchObject({
      adapterAuthorized: true,
      requirement: 'none_required',
      authorizedVia: 'unrestricted_token',
    })
    const token = await createListedToken(world)
    const listed = await world.deployMarket({ collateralTokenAddress: token, mode: 'CUSTODY' })
    const { data } = must(await configure({ action: 'authorizeAdapterOnToken' }, listed.marketId)).body
    expect(data.simulation.success).toBe(true)
    await world.sendRaw(wallet(0), data.configurationCalldata.authorizeAdapterOnToken)
    expect((await status(listed.marketId)).collateralAuthStatus).toMatchObject({
      adapterAuthorized: true,
      requirement: 'adapter_must_be_authorized_contract',
      authorizedVia: 'token_authorized_contract',
    })
  })

  it('registers a holder with an identity that carries the claims that a register asks for', async () => {
    const { marketId, router } = claimed
    const verify = (body: object = {}) => configure({ action: 'verifyRouterAsHolder', ...body }, marketId)
    const code = async (body: object = {}) => {
      const answer = await verify(body)
      return [answer.status, answer.body.error?.code]
    }
    expect((await status(marketId)).blockedSteps.verifyRouterAsHolder.code).toBe('ONCHAINID_REQUIRED')
    expect(await code()).toEqual([400, 'ONCHAINID_REQUIRED'])
    expect(await code({ identityAddress: '0x12' })).toEqual([400, 'INVALID_IDENTITY_ADDRESS'])
    expect(await code({ identityAddress: wallet(9).address })).toEqual([400, 'ONCHAINID_INVALID'])
    expect(await code({ identityAddress: world.cash })).toEqual([400, 'ONCHAINID_INVALID'])
    // An identity that nobody has claimed anything about.
    const bare = trex.claimIssuer.address
    expect(await code({ identityAddress: bare })).toEqual([400, 'ONCHAINID_CLAIMS_MISSING'])
    const abi = demoIdentityRegistryAbi
    await send(world.node, {
      address: trex.identityRegistry,
      abi,
      functionName: 'registerIdentity',
      args: [router, bare, 0],
    })
    expect(await code()).toEqual([400, 'IDENTITY_CLAIMS_REQUIRED'])
    const identityAddress = await trex.registerHolder(wallet(8).address)
    const { data } = must(await verify({ identityAddress, country: 756 })).body
    expect(data).toMatchObject({ subject: router, simulation: { success: true } })
    await world.sendRaw(wallet(0), data.configurationCalldata.verifyRouterAsHolder)
    expect((await status(marketId)).routerHolderAuthorized).toBe(true)
  })

  it('keeps the country that is named, and takes no other than a number of sixteen bits', async () => {
    const body = { action: 'verifyAdapterAsHolder', country: 276 }
    const { data } = must(await configure(body, seeking.marketId)).body
    expect(data.configurationCalldata.verifyAdapterAsHolder.data.endsWith('0114')).toBe(true)
    for (const country of [65_536, -1, '276', 1.5])
      expect(await refusal({ ...body, country }, seeking.marketId)).toEqual([400, 'INVALID_COUNTRY'])
  })

  it('refuses what the market has no use for, and says what there is', async () => {
    const { status, body } = await configure({ action: 'grantEverything' })
    expect([status, body.error.code]).toEqual([400, 'UNSUPPORTED_CONFIGURE_ACTION'])
    expect(body.error.supportedActions).toContain('grantLiquidatorRole')
    expect(await refusal({ action: 'verifyAdapterAsHolder' })).toEqual([400, 'NOT_CUSTODY_MODE'])
    expect(await refusal({ action: 'grantAgentRoleToAdapter' }, seeking.marketId)).toEqual([
      400,
      'ACTION_NOT_APPLICABLE',
    ])
    expect(await refusal({ action: 'verifyVenueAsHolder' })).toEqual([409, 'AUCTION_MODULE_NOT_SET'])
    expect(await refusal({ action: 'grantLiquidatorRole' }, seeking.marketId)).toEqual([409, 'MARKET_PENDING_CURATOR'])
  })

  it('cannot do anything about a token that lost its powers, or a register that says nothing', async () => {
    const security = await world.createSecurity('LOST')
    await world.importToken(world.deployer, security.token)
    const { marketId } = await world.deployMarket({ collateralTokenAddress: security.token })
    await life.call(security.token, demoSecurityAbi, 'setIdentityRegistry', [world.cash])
    expect(await refusal({ action: 'verifyRouterAsHolder' }, marketId)).toEqual([400, 'IDENTITY_REGISTRY_UNRECOGNISED'])
    expect(await status(marketId)).toMatchObject({ readFailed: true, routerHolderAuthorized: null })
    const code = await world.node.publicClient.getCode({ address: world.cash })
    await world.node.testClient.setCode({ address: security.token, bytecode: code ?? '0x' })
    expect(await refusal({ action: 'grantAgentRoleToAdapter' }, marketId)).toEqual([400, 'TOKEN_NOT_FREEZE_COMPATIBLE'])
    expect((await status(marketId)).collateralAuthStatus).toMatchObject({
      adapterAuthorized: false,
      requirement: 'token_not_freeze_compatible',
      interfaceSupported: false,
    })
    await world.node.testClient.setCode({ address: security.token, bytecode: '0x' })
    expect((await status(marketId)).routerHolderAuthorized).toBeNull()
  })

  it('gives no role to an instance that has no wallet', async () => {
    const party = await world.createParty(wallet(7))
    await world.importToken(party, world.security.token)
    const body = world.deployBody({ candidates: [wallet(7).address] })
    const txHash = await world.sign(party.wallet, await party.post(`${V2}/markets/deploy`, body))
    const { collateralTokenAddress } = body
    const deployed = must(await party.post(`${V2}/markets/deploy`, { collateralTokenAddress, txHash })).body.data.market
    const terms = allRolesTo(party.wallet.address)
    const args = [deployed.marketAddress, terms, zeroHash]
    await life.call(world.suite.factory, abis.factory, 'acceptCuratorRole', args, party.wallet)
    await world.superuser`delete from wallets where instance_id = ${party.instanceId}`
    const answer = await party.post(`${V2}/markets/${deployed.id}/configure`, { action: 'grantLiquidatorRole' })
    expect([answer.status, answer.body.error.code]).toEqual([412, 'WALLET_NOT_CONFIGURED'])
  })
})
