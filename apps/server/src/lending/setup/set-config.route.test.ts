import { demoIdentityRegistryAbi } from '@tallystick/abi'
import { deploySafe, send, wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { setupBodies } from '../../../test/lending/requests/setup.ts'
import { createVenue } from '../../../test/lending/setup-helpers.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { abis } from '../contracts.ts'

const defaults = setupBodies.setConfig?.config as Record<string, unknown>

describe('the configuration of a market', () => {
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

  const path = (marketId = market.marketId) => `${V2}/markets/${marketId}/config`
  const post = (config: Record<string, unknown>, marketId?: string) =>
    world.deployer.post(path(marketId), { config: { ...defaults, ...config } })
  const refusal = async (config: Record<string, unknown>, marketId?: string) => {
    const { status, body } = await post(config, marketId)
    return [status, body.error?.code]
  }

  it('is read from the chain in one round trip, and what is read can be sent back', async () => {
    proxy.requests.length = 0
    const { data } = must(await world.deployer.get(path())).body
    expect(proxy.requests).toHaveLength(1)
    expect(data).toEqual({
      collateralFactor: '7500',
      liquidationThreshold: '8500',
      liquidationPenalty: '500',
      protocolFeeRate: '0',
      minBorrowAmount: '100',
      closeFactor: '5000',
      maxTotalCollateral: '0',
      maxUserCollateral: '0',
      useDutchAuction: false,
      auctionDuration: '3600',
      auctionStartPremium: '13000',
      auctionMinPremium: '9500',
    })
    const built = must(await world.deployer.post(path(), { config: data })).body.data
    expect(built).toMatchObject({ functionName: 'setConfig', config: data, simulation: { success: true } })
  })

  it('is set by the issuer and confirmed by its event', async () => {
    const request = {
      collateralFactor: 7000,
      protocolFeeRate: 500,
      minBorrowAmount: '250.5',
      maxUserCollateral: '1.25',
    }
    const built = must(await post(request))
    expect(built.body.data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      requiredRole: 'ISSUER_ROLE',
      heldByThisInstance: true,
      signerAddress: world.deployer.wallet.address.toLowerCase(),
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: path(), field: 'txHash' },
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    const shown = {
      collateralFactor: '7000',
      protocolFeeRate: '500',
      minBorrowAmount: '250.5',
      maxUserCollateral: '1.25',
    }
    const confirmed = must(await world.deployer.post(path(), { txHash })).body.data
    expect(confirmed).toMatchObject({ txHash, config: shown })
    const checked = must(await world.deployer.post(path(), { txHash, config: { ...defaults, ...request } }))
    expect(checked.body.data).toEqual(confirmed)
    const other = await world.deployer.post(path(), { txHash, config: defaults })
    expect([other.status, other.body.error.code]).toEqual([400, 'TX_NOT_VERIFIED'])
    expect(must(await world.deployer.get(path())).body.data).toMatchObject(shown)
  })

  it('can be had as a file for a Safe, and is confirmed when a Safe set it', async () => {
    const safe = await deploySafe(world.node, [wallet(3)])
    const cash = await world.createCash('SAFE')
    const held = await life.adopted({ borrowAssetAddress: cash }, { terms: { issuer: safe.address } })
    const config = { ...defaults, closeFactor: 4000 }
    const built = must(await world.deployer.post(path(held.marketId), { config })).body.data
    // Not a wallet of the instance; the build simulates as the issuer all the same.
    expect(built).toMatchObject({ heldByThisInstance: false, signerAddress: null, simulation: { success: true } })
    const file = must(await world.deployer.post(`${path(held.marketId)}?format=safe`, { config })).body
    const { receipt } = await safe.execThroughSafe(file.transactions[0])
    const confirmed = must(await world.deployer.post(path(held.marketId), { txHash: receipt.transactionHash }))
    expect(confirmed.body.data).toMatchObject({ verifiedBy: 'receipt-log', config: { closeFactor: '4000' } })
  })

  it.each([
    ['collateralFactor', { collateralFactor: 999 }, 'must be 1000 to 9000'],
    ['collateralFactor', { collateralFactor: 9001, liquidationThreshold: 9400 }, 'must be 1000 to 9000'],
    ['liquidationThreshold', { liquidationThreshold: 9501 }, 'must be 1000 to 9500'],
    ['liquidationThreshold', { liquidationThreshold: '7500' }, 'must be above collateralFactor'],
    ['liquidationPenalty', { liquidationPenalty: 5001 }, 'must be 0 to 5000'],
    ['protocolFeeRate', { protocolFeeRate: 10001 }, 'must be 0 to 10000'],
    ['closeFactor', { closeFactor: 5001 }, 'must be 1000 to 5000'],
    ['auctionDuration', { auctionDuration: 599 }, 'must be 600 to 86400'],
    ['auctionStartPremium', { auctionStartPremium: 20001 }, 'must be 10000 to 20000'],
    ['auctionMinPremium', { auctionMinPremium: 7999 }, 'must be 8000 to 10000'],
    [
      'auctionStartPremium',
      { useDutchAuction: true, auctionStartPremium: 10000, auctionMinPremium: 10000 },
      'must be above auctionMinPremium while auctions are on',
    ],
    ['minBorrowAmount', { minBorrowAmount: '1.0000001' }, 'must be a decimal with at most 6 decimals'],
    ['maxTotalCollateral', { maxTotalCollateral: '1e3' }, 'must be a decimal with at most 18 decimals'],
    ['maxUserCollateral', { maxUserCollateral: '9'.repeat(40) }, 'is larger than the market can hold'],
  ])('is refused where %s is out of range', async (field, config, message) => {
    const { status, body } = await post(config)
    expect([status, body.error.code, body.error.details]).toEqual([400, 'INVALID_CONFIG', [{ field, message }]])
  })

  it('keeps the penalty above that of the terms', async () => {
    const cash = await world.createCash('TERM')
    const termed = await life.adopted({ borrowAssetAddress: cash, maxLoanDurationDays: 30 })
    const day = 86_400n
    await life.call(termed.marketAddress, abis.market, 'setTermConfig', [30n * day, day, 0n, 300n])
    const { body } = await post({ liquidationPenalty: 299 }, termed.marketId)
    expect(body.error.details).toEqual([{ field: 'liquidationPenalty', message: 'must be 300 to 5000' }])
  })

  it('leaves to the simulation what only the contract bounds', async () => {
    const built = must(await post({ collateralFactor: 7000, minBorrowAmount: '300000000000000000000000000' }))
    expect(built.body.data.simulation.simulated).toBe(true)
  })

  it('moves the threshold by small steps only', async () => {
    expect(await refusal({ collateralFactor: 5000, liquidationThreshold: 7499 })).toEqual([
      400,
      'CONFIG_CHANGE_TOO_LARGE',
    ])
    expect((await post({ collateralFactor: 5000, liquidationThreshold: 7500 })).status).toBe(200)
  })

  it('turns auctions on only with a venue that the token admits', async () => {
    expect(await refusal({ useDutchAuction: true })).toEqual([409, 'AUCTION_MODULE_NOT_SET'])
    const venue = await createVenue(world, world.deployer, market.marketId)
    await life.call(market.marketAddress, abis.market, 'setAuctionModule', [venue])
    expect(await refusal({ useDutchAuction: true })).toEqual([409, 'AUCTION_VENUE_NOT_ADMITTED'])
    await send(world.node, {
      address: world.security.registry,
      abi: demoIdentityRegistryAbi,
      functionName: 'registerIdentity',
      args: [venue, venue, 0],
    })
    const built = must(await post({ useDutchAuction: true }))
    expect(built.body.data.simulation.success).toBe(true)
  })

  it('knows no auctions where an exchange makes the price', async () => {
    const request = { priceSource: 'MARKET', identityRegistry: world.security.registry, mode: 'CUSTODY' }
    const priced = await life.adopted(request, { terms: { realizationMode: 1 } })
    expect(await refusal({ useDutchAuction: true, auctionMinPremium: 9800 }, priced.marketId)).toEqual([
      400,
      'AUCTION_UNSUPPORTED_PRICE_SOURCE',
    ])
    const { body } = await post({}, priced.marketId)
    expect(body.error.details).toEqual([{ field: 'auctionMinPremium', message: 'must be 9800 to 10000' }])
  })

  it('cannot be set before there is a lender of record, nor half', async () => {
    const { marketId } = await world.deployMarket({ borrowAssetAddress: await world.createCash('SEEK') })
    expect(await refusal({}, marketId)).toEqual([409, 'MARKET_PENDING_CURATOR'])
    for (const body of [{}, { config: {} }, { config: { ...defaults, closeFactor: 4000.5 } }]) {
      const answer = await world.deployer.post(path(), body)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('is confirmed by nothing else than its transaction', async () => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => world.deployer.post(path(), { txHash }),
      target: market.marketAddress,
      other: { abi: abis.market, functionName: 'syncRate' },
    })
  })

  it('says when the market does not answer', async () => {
    const address = market.marketAddress
    const code = await world.node.publicClient.getCode({ address })
    await world.node.testClient.setCode({ address, bytecode: '0x' })
    const read = await world.deployer.get(path())
    expect([read.status, read.body.error.code]).toEqual([503, 'MARKET_STATE_UNAVAILABLE'])
    expect(await refusal({})).toEqual([503, 'MARKET_STATE_UNAVAILABLE'])
    await world.node.testClient.setCode({ address, bytecode: code ?? '0x' })
  })
})
