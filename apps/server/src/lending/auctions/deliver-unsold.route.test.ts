import { demoIdentityRegistryAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRouterLife, type RouterLife, refusal } from '../../../test/lending/router-life.ts'
import { wrappedSnapshot } from '../../../test/lending/setting-faults.ts'
import { V1 } from '../../../test/lending/setup-helpers.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const HASH: Hex = `0x${'1'.repeat(64)}`
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

describe('delivering what an auction did not sell', () => {
  let world: ProxiedWorld
  let life: RouterLife
  let market: LiveMarket
  let venue: Address
  let auctionId: string
  let realizationId: string

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    market = await life.earning({}, 200_000)
    venue = await life.auctions(market)
    const loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 70_000 })
    await life.priceTo(market, units(80, 6))
    const { logs } = await life.amply(market.marketAddress, abis.market, 'liquidate', [loanId, noPrice])
    const [started] = parseEventLogs({ abi: abis.venue, eventName: 'AuctionStarted', logs })
    auctionId = String(started?.args.auctionId)
    realizationId = String(started?.args.realizationId)
  })
  afterAll(() => world.close())

  const path = (tail: string, marketId = market.marketId) => `${V1}/liquidations/${marketId}/${tail}`
  const deliver = (body: object, marketId?: string) => world.deployer.post(path('deliver-unsold', marketId), body)
  const settle = (body: object) => world.deployer.post(path('settle-expired-auction'), body)
  const onRegistry = (functionName: string, args: readonly unknown[]) =>
    life.call(world.security.registry, demoIdentityRegistryAbi, functionName, args)

  it('is refused while there is nothing to deliver', async () => {
    refusal(await deliver({ auctionId }), 409, 'NOTHING_UNSOLD')
    refusal(await deliver({ auctionId: '999' }), 404, 'AUCTION_NOT_FOUND')
    for (const body of [{}, { auctionId: 1 }, { auctionId: '0' }, { auctionId, extra: 1 }, { auctionId, txHash: '0x' }])
      refusal(await deliver(body), 400, 'VALIDATION_ERROR')
    const bare = await world.deployMarket({ borrowAssetAddress: await world.createCash('BARE') })
    refusal(await deliver({ auctionId }, bare.marketId), 409, 'AUCTION_MODULE_NOT_SET')
    refusal(await deliver({ auctionId, txHash: HASH }, bare.marketId), 409, 'AUCTION_MODULE_NOT_SET')
  })

  it('follows a settlement that the token refused, which is confirmed all the same', async () => {
    await onRegistry('deleteIdentity', [market.router])
    await life.travel(3_601)
    const settling = must(await settle({ auctionId })).body.data
    expect(settling.simulation.success).toBe(true)
    const settled = await world.sendRaw(wallet(7), settling.transaction)
    expect(must(await settle({ auctionId, txHash: settled })).body.data).toEqual({
      txHash: settled,
      auctionId,
      venueAddress: venue,
      liquidationId: null,
      marketLiquidationId: null,
      collateralAmount: '500',
      deliverWith: path('deliver-unsold'),
    })
    // The loan is free.
    const { data: loan } = must(await world.deployer.get(path('loan-auction/1'))).body
    expect(loan.auction).toBeNull()

    const blocked = must(await deliver({ auctionId })).body.data
    expect(blocked).toMatchObject({
      functionName: 'deliverUnsold',
      transaction: { to: venue },
      auctionId,
      venueAddress: venue,
      collateralRemaining: '500',
      simulation: { simulated: true, success: false, revert: { message: expect.any(String) } },
      confirmWith: { endpoint: path('deliver-unsold'), field: 'txHash', body: { auctionId, txHash: null } },
    })
    await onRegistry('registerIdentity', [market.router, market.router, 276])
    const built = must(await deliver({ auctionId })).body.data
    expect([built.transaction, built.simulation.success]).toEqual([blocked.transaction, true])
    const txHash = await world.sendRaw(wallet(6), built.transaction)
    const confirmed = must(await deliver({ auctionId, txHash })).body.data
    expect(confirmed).toEqual({
      txHash,
      auctionId,
      venueAddress: venue,
      liquidationId: '1',
      marketLiquidationId: realizationId,
      collateralAmount: '500',
    })
    expect((await life.liquidation(market, 1n)).collateralRemaining).toBe(units(500))
    refusal(await deliver({ auctionId: '2', txHash }), 400, 'TX_NOT_VERIFIED')
    refusal(await deliver({ auctionId }), 409, 'NOTHING_UNSOLD')
    refusal(await settle({ auctionId, txHash }), 400, 'TX_WRONG_FUNCTION')
  })

  it('is confirmed by nothing but its effect, and never guessed', async () => {
    const confirm = (txHash: Hex) => deliver({ auctionId, txHash })
    await expectTransactionFaults(world, {
      confirm,
      target: venue,
      other: { abi: abis.venue, functionName: 'market' },
    })
    refusal(await confirm(await wrappedSnapshot(world, market.marketAddress)), 400, 'TX_WRONG_TARGET')
    await world.withoutNode(async () => {
      refusal(await deliver({ auctionId }), 503, 'AUCTION_STATE_UNAVAILABLE')
      refusal(await confirm(HASH), 503, 'CHAIN_UNAVAILABLE')
    })
  })
})
