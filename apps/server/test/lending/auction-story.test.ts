import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, type Party, units } from './lending-world.ts'
import { createVenue } from './setup-helpers.ts'
import { cast } from './story-birth.ts'
import { settledBetween } from './story-books.ts'
import { expectAgreement, expectRealizations } from './story-checks.ts'
import { createSelling, type Selling } from './story-sale.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

/** Collateral that is auctioned: bought by two bidders, and left over by one. */
describe('the story of two auctions', () => {
  let world: LendingWorld
  let stage: Stage
  let selling: Selling

  beforeAll(async () => {
    world = await createLendingWorld()
    stage = await raiseMarket(world, { config: { protocolFeeRate: 1_000 } })
    selling = createSelling(stage)
  })
  afterAll(() => world.close())

  const agree = async () => {
    await expectAgreement(stage)
    await expectRealizations(stage)
  }
  const auctions = (rest = '') => stage.liquidation(`${stage.record}/auctions${rest}`)

  /** The clock of an auction is the chain's: what is told at a second is what the model says of that second. */
  async function expectPrice(id: number): Promise<void> {
    const { data, metadata } = await stage.read(auctions(`/${id}`))
    expect(data).toMatchObject(stage.shadow.auction(id, metadata.chainTime))
    const listed = await stage.read(auctions())
    const row = listed.data.auctions.find(({ auctionId }: { auctionId: string }) => auctionId === String(id))
    expect(row).toMatchObject(stage.shadow.auction(id, listed.metadata.chainTime))
  }

  /** Bought with what an instance built for the bidder. */
  async function bid(party: Party, record: string, who: 'bidder' | 'otherBidder', auctionId: number, whole: number) {
    const by = cast[who]
    await stage.giveCash(by, whole * 110)
    const body = { auctionId, collateralAmount: String(whole), bidderAddress: by.address }
    const acted = await stage.act(party, stage.liquidation(`${record}/bid-on-auction`), body, { by })
    const args = { id: BigInt(auctionId), quantity: units(whole), maxCost: units(whole * 110, 6) }
    const before = stage.shadow.state
    const price = stage.shadow.auction(auctionId, acted.at).currentPrice
    expect(acted.built.pricePerUnit).toBe(stage.shadow.auction(auctionId, acted.foretoldAt).currentPrice)
    const had = stage.shadow.assetOf(who)
    stage.shadow.take('bidOnAuction', who, args, acted.at)
    expect(acted.data).toMatchObject({
      bidder: by.address.toLowerCase(),
      pricePerUnit: price,
      amountPaid: stage.shadow.asset(had - stage.shadow.assetOf(who)),
    })
    return { ...acted, before }
  }

  it('begins with a venue that the lender wires and the token admits', async () => {
    const venue = await createVenue(world, world.lender, stage.record)
    const path = stage.ofMarket('auction-module')
    const { steps } = must(await world.lender.post(path, { moduleAddress: venue })).body.data
    for (const step of steps) {
      const isOurs = step.requiredRole !== null && step.key !== 'verifyVenueAsHolder'
      const txHash = await world.sendRaw(isOurs ? world.lender.wallet : world.deployer.wallet, step)
      if (isOurs) must(await world.lender.post(path, { moduleAddress: venue, txHash }))
    }
    expect((await stage.read(path)).data).toMatchObject({ wired: true, routerAuthorized: true, tokenAdmitted: true })
    await stage.configure({ useDutchAuction: true })
  })

  it('opens an auction for half of a loan that the price has left behind', async () => {
    await stage.open('borrower', 1_000, 70_000)
    await stage.price(80)
    const { data, built } = await stage.liquidate(1)
    expect(built.forecast).toMatchObject({ path: 'VENUE', collateralTaken: '500' })
    expect(data).toMatchObject({ auctionId: '1', liquidationId: 'venue-1', status: 'PENDING' })
    await expectPrice(1)
    await agree()
    const { auctionedLoans } = (await stage.read(stage.liquidation(`${stage.record}/liquidatable-loans`))).data
    expect(auctionedLoans).toMatchObject([{ loanId: '1', auctionId: '1', collateralRemaining: '500' }])
  })

  it('sells a part to a first bidder, at a price that falls with every second', async () => {
    for (const seconds of [100, 500, 17]) {
      await stage.travel(seconds)
      await expectPrice(1)
    }
    const { data } = await bid(world.lender, stage.record, 'bidder', 1, 200)
    expect(data).toMatchObject({ collateralPurchased: '200', auctionSettled: false })
    await expectPrice(1)
    await agree()
    expect(await stage.balanceOf(cast.bidder.address, stage.collateralToken)).toBe(units(200))
  })

  it('sells the rest to a second one, through the instance of the deployer, and settles', async () => {
    await stage.travel(300)
    const { data, before } = await bid(world.deployer, stage.deployerRecord, 'otherBidder', 1, 300)
    const { cash, toPool, surplus, shortfall } = settledBetween(before, stage.shadow.state, 1)
    const { asset } = stage.shadow
    // What the model had on the record before the bid is part of the cash.
    expect(data).toMatchObject({
      auctionSettled: true,
      totalProceeds: asset(cash),
      debtCovered: asset(toPool),
      shortfall: asset(shortfall),
      marketLiquidationId: '1',
    })
    const paid = surplus === 0n ? [] : [{ amount: asset(surplus) }]
    expect(data.surplus).toMatchObject(paid)
    await agree()
    expect((await stage.read(auctions('/1'))).data).toMatchObject({ phase: 'CLOSED', active: false, currentPrice: '0' })
  })

  it('opens another that finds one small bid before it ends', async () => {
    await stage.price(100)
    await stage.open('otherBorrower', 1_000, 70_000)
    await stage.price(80)
    const { data } = await stage.liquidate(2)
    expect(data).toMatchObject({ auctionId: '2', liquidationId: 'venue-2' })
    await stage.travel(1_800)
    await expectPrice(2)
    await bid(world.lender, stage.record, 'bidder', 2, 100)
    await stage.travel(1_800)
    await expectPrice(2)
    expect((await stage.read(auctions('/2'))).data).toMatchObject({ phase: 'EXPIRED', settleable: true })
    await agree()
  })

  it('hands what is left to the router, whoever signs, and keeps the cash of the bid', async () => {
    const { address } = cast.otherBidder
    const acted = await stage.act(
      world.lender,
      stage.liquidation(`${stage.record}/settle-expired-auction`),
      { auctionId: 2, signerAddress: address },
      { by: cast.otherBidder },
    )
    stage.shadow.take('settleExpiredAuction', 'otherBidder', { id: 2n }, acted.at)
    expect(acted.data).toMatchObject({ liquidationId: '1', marketLiquidationId: '2', collateralAmount: '400' })
    await agree()
    const [row] = (await stage.read(stage.liquidation(`${stage.record}/pending-liquidations`))).data.pendingLiquidations
    expect(row).toMatchObject({
      liquidationId: '1',
      proceedsHeld: stage.shadow.asset(stage.shadow.realization(2).held),
    })
  })

  it('sells it by hand, and settles with the cash of both', async () => {
    await selling.takeOut(1)
    const { held } = stage.shadow.realization(2)
    const { built } = await selling.settle(1, 32_000)
    expect(built.preview).toMatchObject({
      proceedsHeld: stage.shadow.asset(held),
      cash: stage.shadow.asset(held + units(32_000, 6)),
    })
    await agree()
  })
})
