import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createListedToken, createVenue } from '../../../test/lending/setup-helpers.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { abis } from '../contracts.ts'

describe('the auction module of a market', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    life = createMarketLife(world)
    market = await life.adopted()
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  const read = async (marketId = market.marketId) =>
    must(await world.deployer.get(`${V2}/markets/${marketId}/auction-module`)).body.data
  const wire = async ({ marketAddress, marketId }: LiveMarket): Promise<Address> => {
    const venue = await createVenue(world, world.deployer, marketId)
    await life.call(marketAddress, abis.market, 'setAuctionModule', [venue])
    return venue
  }
  const without = async (address: Address, work: () => Promise<void>) => {
    const code = await world.node.publicClient.getCode({ address })
    await world.node.testClient.setCode({ address, bytecode: '0x' })
    await work()
    await world.node.testClient.setCode({ address, bytecode: code ?? '0x' })
  }

  it('is not wired at first, and then nothing is said about its admission', async () => {
    const unwired = {
      auctionModule: null,
      wired: false,
      readFailed: false,
      useDutchAuction: false,
      routerAuthorized: null,
      fundAuthorized: null,
    }
    expect(await read()).toEqual(unwired)
    const draft = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' })))
    expect(await read(draft.body.data.marketId)).toEqual({ ...unwired, useDutchAuction: null })
  })

  it('shows every authorization as it comes, in one round trip once the record knows the venue', async () => {
    const venue = await wire(market)
    const wired = {
      auctionModule: venue,
      wired: true,
      readFailed: false,
      useDutchAuction: false,
      routerAuthorized: false,
      fundAuthorized: false,
      tokenAdmitted: false,
      tokenAdmissionRequirement: 'adapter_must_be_verified_holder',
      tokenAdmissionRegistry: world.security.registry,
      realizationReady: false,
    }
    expect(await read()).toEqual(wired)
    await life.call(market.router, abis.router, 'authorizeLendingMarket', [venue, true])
    await life.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [venue, venue, 1])
    expect(await read()).toEqual({ ...wired, routerAuthorized: true, tokenAdmitted: true })
    await life.call(market.fund, abis.fund, 'setMarketAuthorized', [venue, true])
    await world.follow()
    proxy.requests.length = 0
    expect(await read()).toEqual({
      ...wired,
      routerAuthorized: true,
      tokenAdmitted: true,
      fundAuthorized: true,
      realizationReady: true,
    })
    expect(proxy.requests).toHaveLength(1)
  })

  it('asks the fund that the market works with now', async () => {
    const other = await life.adopted({ borrowAssetAddress: world.cash, mode: 'CUSTODY' })
    await life.call(market.marketAddress, abis.market, 'setInsuranceFund', [other.fund])
    expect(await read()).toMatchObject({ fundAuthorized: false, routerAuthorized: true, realizationReady: false })
    await life.call(market.marketAddress, abis.market, 'setInsuranceFund', [market.fund])
  })

  it('needs no admission from a free token, and a place on the list of one that keeps a list', async () => {
    const plain = await world.createCash('FREE', 18)
    await world.importToken(world.deployer, plain)
    const free = await life.adopted({ collateralTokenAddress: plain, mode: 'CUSTODY' })
    await wire(free)
    const admitted = await read(free.marketId)
    expect(admitted).toMatchObject({ tokenAdmitted: true, tokenAdmissionRequirement: 'none_required' })
    expect(admitted).not.toHaveProperty('tokenAdmissionRegistry')
    const token = await createListedToken(world)
    const listed = await life.adopted({ collateralTokenAddress: token, mode: 'CUSTODY' })
    await wire(listed)
    expect(await read(listed.marketId)).toMatchObject({
      tokenAdmitted: false,
      tokenAdmissionRequirement: 'adapter_must_be_authorized_contract',
    })
  })

  it('does not take silence for an answer', async () => {
    const security = await world.createSecurity('MUTE')
    await world.importToken(world.deployer, security.token)
    const mute = await life.adopted({ collateralTokenAddress: security.token })
    await wire(mute)
    await life.call(security.token, demoSecurityAbi, 'setIdentityRegistry', [world.cash])
    const unreadable = { tokenAdmitted: null, tokenAdmissionRequirement: 'holder_status_unreadable' }
    expect(await read(mute.marketId)).toMatchObject({ ...unreadable, readFailed: false, realizationReady: false })
    await without(security.token, async () =>
      expect(await read(mute.marketId)).toMatchObject({ tokenAdmitted: null, tokenAdmissionRequirement: 'unknown' }),
    )
    await without(mute.router, async () =>
      expect(await read(mute.marketId)).toMatchObject({ wired: true, routerAuthorized: null, fundAuthorized: false }),
    )
    await without(mute.marketAddress, async () => {
      expect(await read(mute.marketId)).toEqual({
        auctionModule: null,
        wired: null,
        readFailed: true,
        useDutchAuction: null,
        routerAuthorized: null,
        fundAuthorized: null,
      })
    })
  })

  it('says so, and nothing else, when the node is gone', async () => {
    proxy.replaceResponse = { status: 502, body: '' }
    const data = await read()
    proxy.replaceResponse = undefined
    expect(data).toEqual({
      auctionModule: null,
      wired: null,
      readFailed: true,
      useDutchAuction: null,
      routerAuthorized: null,
      fundAuthorized: null,
    })
  })
})
