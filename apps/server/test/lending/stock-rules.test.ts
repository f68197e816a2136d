import { identityRegistryAbi } from '@tallystick/abi'
import { deploySafe, send, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from './lending-world.ts'
import {
  createStock,
  createStockLendingWorld,
  STOCK_LENDING,
  type Stock,
  type StockLendingWorld,
} from './stock-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement } from './story-checks.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

/** Shares whose company acts while they are pledged: it splits them, locks holders up, takes some away. */
describe('pledged shares and the rules of their token', () => {
  const { borrower, otherBorrower, broker, bidder } = cast
  const controller = wallet(9)
  let world: StockLendingWorld
  let stock: Stock
  let frozen: Stage
  let custody: Stage

  beforeAll(async () => {
    world = await createStockLendingWorld()
    await world.recordStockFactory()
    stock = await createStock(world)
    const request = { collateral: stock, prefix: STOCK_LENDING }
    frozen = await raiseMarket(world, { ...request, mode: 'FREEZE' })
    custody = await raiseMarket(world, { ...request, mode: 'CUSTODY' })
    await frozen.open('borrower', 1_000, 40_000)
    await frozen.open('bidder', 100, 1_000)
    await custody.open('otherBorrower', 1_000, 40_000)
    for (const holder of [borrower, otherBorrower]) await frozen.giveCollateral(holder, 100)
    await stock.write('manage/TOKEN/controller/add', { account: controller.address })
  })
  afterAll(() => world.close())

  const loanOf = async (stage: Stage) => (await stage.read(stage.position('loan/1'))).data
  const held = (account: Address) => stock.view<bigint>('balanceOf', [account])
  const frozenBy = (stage: Stage, account: Address) => stock.view<bigint>('frozenBy', [stage.market.adapter, account])
  async function liens(stage: Stage) {
    await world.follow()
    await world.passOfLienWatch()
    const { data } = await stage.read(stage.ofMarket('liens'))
    return { intact: data.intact, open: data.open, unread: data.lastPass.unread }
  }
  const intact = { intact: true, open: [], unread: 0 }
  const lockup = (account: Address, until: number) => stock.write('manage/TOKEN/compliance/lockup', { account, until })
  const never = 4_000_000_000
  const onRegistry = (functionName: string, args: readonly unknown[]) =>
    send(world.node, { address: world.stockSuite.identityRegistry, abi: identityRegistryAbi, functionName, args })

  describe('a split', () => {
    const steps = { numerator: 2, denominator: 1, maxHolders: 1 }

    it('stands still half way: nothing is pledged, what is paid counts, and no pledge is missed', async () => {
      const done = await stock.write('tokenization/TOKEN/stock-split', steps)
      expect(done).toMatchObject({ completed: false })
      const body = { loanId: 1, amount: '50' }
      const freezing = must(await world.lender.post(frozen.position('add-collateral'), body)).body.data
      expect(freezing.simulation).toMatchObject({ success: false, revert: { code: 'SPLIT_UNDER_WAY' } })
      const moving = await world.lender.post(custody.position('add-collateral'), body)
      expect([moving.status, moving.body.error.code]).toEqual([400, 'COLLATERAL_TRANSFER_RESTRICTED'])
      expect(moving.body.error.details.reason).toContain('A split of the collateral token is under way')
      for (const [stage, payer] of [
        [frozen, borrower],
        [custody, otherBorrower],
      ] as const) {
        await stage.giveCash(payer, 1_000)
        const paying = must(await world.lender.post(stage.position('repay'), { loanId: 1, all: true })).body.data
        expect(paying.simulation).toMatchObject({ simulated: true, success: true })
        const waits = { willEscrow: true, code: 'SPLIT_UNDER_WAY', reason: 'SplitUnderWay' }
        expect(paying.collateralRelease).toEqual(stage === custody ? expect.objectContaining(waits) : null)
      }
      expect((await loanOf(custody)).compliance).toMatchObject({
        restricted: true,
        code: 'COMPLIANCE_REFUSED',
        reason: 'The rules of the token refuse the way back to the holder. (SPLIT_UNDER_WAY)',
        willEscrowOnRelease: true,
        tokenPaused: false,
      })
      for (const stage of [frozen, custody]) expect(await liens(stage)).toEqual(intact)
    })

    it('doubles what is frozen and held, and every loan', async () => {
      await stock.write('tokenization/TOKEN/stock-split/continue', {})
      expect(await stock.view('splitHoldersLeft', [])).toBe(0n)
      for (const stage of [frozen, custody]) {
        expect(await loanOf(stage)).toMatchObject({ collateralAmount: '2000', collateralIntact: true })
        expect((await loanOf(stage)).compliance).toMatchObject({ restricted: false, code: null })
        expect(await liens(stage)).toEqual(intact)
      }
      expect(await frozenBy(frozen, borrower.address)).toBe(units(2_000))
      expect(await held(custody.market.adapter)).toBe(units(2_000))
    })

    it('goes into the books with the next payment, and lends nothing on a price from before', async () => {
      const pays = async (stage: Stage, by: 'borrower' | 'otherBorrower' | 'bidder', loanId: number) => {
        await stage.giveCash(cast[by], 10)
        const body = { loanId, amount: '10' }
        const { at } = await stage.act(world.lender, stage.position('repay'), body, { by: cast[by] })
        stage.shadow.take('repay', by, { loanId: BigInt(loanId), amount: units(10, 6) }, at)
      }
      for (const { shadow } of [frozen, custody]) shadow.split(2n, 1n)
      await pays(frozen, 'borrower', 1)
      await pays(frozen, 'bidder', 2)
      await pays(custody, 'otherBorrower', 1)
      const more = { loanId: 1, amount: '100' }
      const early = must(await world.lender.post(frozen.position('borrow-more'), more)).body.data
      expect(early.simulation).toMatchObject({ success: false, revert: { code: 'PRICE_BEFORE_SPLIT' } })
      for (const stage of [frozen, custody]) {
        await stage.price(50)
        await expectAgreement(stage)
        expect(await liens(stage)).toEqual(intact)
      }
    })

    it('is given back with the rest when a loan is paid', async () => {
      const owed = { loanId: 2, all: true }
      await frozen.giveCash(bidder, 1_000)
      const { at, data } = await frozen.act(world.lender, frozen.position('repay'), owed, { by: bidder })
      frozen.shadow.take('repay', 'bidder', { loanId: 2n, amount: units(2_000, 6) }, at)
      expect(data).toMatchObject({ loanClosed: true, collateralReturned: '200' })
      await expectAgreement(frozen)
      expect(await stock.ruleAgainst(bidder.address, broker.address, '200')).toBe('SUCCESS')
      expect(await frozenBy(frozen, bidder.address)).toBe(0n)
      expect(await liens(frozen)).toEqual(intact)
    })
  })

  describe('a rule that stands in the way of a transfer is named', () => {
    it('to a borrower whose adapter would hold too much', async () => {
      await stock.write('manage/TOKEN/compliance/limits', { maxHolding: '2500', minHolding: '0' })
      await custody.giveCollateral(otherBorrower, 400)
      const body = { loanId: 1, amount: '600' }
      const refused = await world.lender.post(custody.position('add-collateral'), body)
      expect([refused.status, refused.body.error.code]).toEqual([400, 'COLLATERAL_TRANSFER_RESTRICTED'])
      expect(refused.body.error.details.reason).toBe(
        'A rule of the collateral token forbids this transfer. (5, RECIPIENT_EXCEEDS_MAX)',
      )
      const { adapter } = custody.market
      await stock.write('manage/TOKEN/compliance/limits', { account: adapter, maxHolding: '1000000', minHolding: '0' })
      expect(must(await world.lender.post(custody.position('add-collateral'), body)).body.data.simulation.success).toBe(
        true,
      )
      await stock.write('manage/TOKEN/compliance/limits', { maxHolding: '0', minHolding: '0' })
    })

    it('to a liquidator whose seizure the token would refuse', async () => {
      await custody.price(30)
      await custody.price(22)
      const path = custody.liquidation(`${custody.record}/liquidate/1`)
      const signerAddress = cast.liquidator.address
      await lockup(custody.market.adapter, never)
      const refused = await world.lender.post(path, { signerAddress })
      expect([refused.status, refused.body.error.code]).toEqual([400, 'COLLATERAL_TRANSFER_RESTRICTED'])
      expect(refused.body.error.readiness).toMatchObject({
        collateralTransferAllowed: false,
        collateralTransferCode: 5,
        collateralTransferRule: 'SENDER_LOCKED',
      })
      expect((await loanOf(custody)).compliance).toMatchObject({
        code: 'COMPLIANCE_REFUSED',
        reason: 'The rules of the token refuse the way back to the holder. (SENDER_LOCKED)',
      })
      await lockup(custody.market.adapter, 0)
      await custody.liquidate(1)
    })

    it('to an operator who sells to somebody the token does not let in', async () => {
      const path = custody.liquidation('withdraw-collateral/1')
      const body = { amount: '1', marketId: custody.record }
      const refused = async () => {
        const { status, body: answer } = await world.lender.post(path, body)
        const { code, saleRecipient, saleDeliveryCode, saleDeliveryRule } = answer.error
        expect([status, code, saleRecipient]).toEqual([
          400,
          'SALE_RECIPIENT_TRANSFER_RESTRICTED',
          broker.address.toLowerCase(),
        ])
        return [saleDeliveryCode, saleDeliveryRule]
      }
      await onRegistry('addRegisterOperator', [world.deployer.wallet.address, 'Examined Ltd'])
      await onRegistry('revokeIdentity', [broker.address])
      expect(await refused()).toEqual([2, 'RECEIVER_NOT_VERIFIED'])
      await onRegistry('verifyIdentity', [broker.address, `0x${'7'.repeat(64)}`, 1, 0n, 0n, 276])
      await stock.write('manage/TOKEN/pause', {})
      expect(await refused()).toEqual([6, 'PAUSED'])
      await stock.write('manage/TOKEN/unpause', {})
      must(await world.lender.post(path, body))
    })

    it('to a borrower whose shares would not come home: they wait, and the rule is told', async () => {
      await lockup(custody.market.adapter, never)
      await custody.giveCash(otherBorrower, 100_000)
      const { built, data } = await custody.act(
        world.lender,
        custody.position('repay'),
        { loanId: 1, all: true },
        { by: otherBorrower },
      )
      expect(built.collateralRelease).toMatchObject({
        willEscrow: true,
        code: 'TRANSFER_RESTRICTED',
        reason: 'TransferRestricted',
        message: 'A rule of the collateral token forbids this transfer. (5, SENDER_LOCKED)',
      })
      expect(data).toMatchObject({ loanClosed: true, collateralReturnEscrowed: true })
      expect(await liens(custody)).toEqual(intact)
      const claim = { holderAddress: otherBorrower.address }
      const early = must(await world.lender.post(custody.position('claim-escrowed-collateral'), claim)).body.data
      expect(early.simulation.revert).toMatchObject({ code: 'TRANSFER_RESTRICTED' })
      await lockup(custody.market.adapter, 0)
      const before = await held(otherBorrower.address)
      const { transaction, escrowedCollateral } = must(
        await world.lender.post(custody.position('claim-escrowed-collateral'), claim),
      ).body.data
      await world.sendRaw(otherBorrower, transaction)
      expect(custody.shadow.collateral((await held(otherBorrower.address)) - before)).toBe(escrowedCollateral)
    })

    it('to nobody once all is paid: nothing of the split stays in custody', async () => {
      expect(await held(custody.market.adapter)).toBe(0n)
      expect(await liens(custody)).toEqual(intact)
    })

    it('not to a sale recipient that is a contract on the list of the token', async () => {
      const safe = await deploySafe(world.node, [wallet(8)])
      const { marketAddress } = await world.deployMarket(
        { collateralTokenAddress: stock.token, borrowAssetAddress: await world.createCash('EURX') },
        STOCK_LENDING,
      )
      const { address } = world.lender.wallet
      const roles = ['admin', 'issuer', 'collateralAgent', 'liquidationOperator', 'oracleOwner', 'priceSigner']
      const { contentHash } = must(
        await world.lender.get(`${STOCK_LENDING}/markets/${marketAddress}/asset-data/bundle`),
      ).body.data
      const body = {
        ...Object.fromEntries(roles.map((role) => [role, address])),
        saleRecipient: safe.address,
        realizationMode: 'ISSUER_REDEMPTION',
        assetDataHash: contentHash,
      }
      const path = `${STOCK_LENDING}/markets/queued/${marketAddress}/accept`
      const refused = await world.lender.post(path, body)
      expect(refused.body.error.code).toBe('SALE_RECIPIENT_NOT_ELIGIBLE')
      await stock.write('manage/TOKEN/authorized-contract/add', { account: safe.address })
      expect(must(await world.lender.post(path, body)).body.data.simulation.success).toBe(true)
    })
  })

  describe('the watch over liens', () => {
    it('sees what a controller took of a pledge, whoever else has frozen shares of that wallet', async () => {
      const account = borrower.address
      await stock.write('manage/TOKEN/force-transfer', { from: account, to: broker.address, amount: '300' }, controller)
      // What is free goes first; the rest was pledged.
      expect(await frozenBy(frozen, account)).toBe(units(1_900))
      await frozen.giveCollateral(borrower, 500)
      await stock.write('manage/TOKEN/freeze', { account, amount: '500' }, controller)
      expect(await stock.view('getFrozenTokens', [account])).toBe(units(2_400))
      expect(await liens(frozen)).toMatchObject({
        intact: false,
        unread: 0,
        open: [{ holder: account.toLowerCase(), expected: '2000', found: '1900', missing: '100', pledged: '2000' }],
      })
      expect(await loanOf(frozen)).toMatchObject({ collateralAmount: '2000', collateralIntact: false })
    })

    it('forgets it when the loan is paid', async () => {
      await stock.write('manage/TOKEN/unfreeze', { account: borrower.address, amount: '500' }, controller)
      await frozen.giveCash(borrower, 100_000)
      const { data } = await frozen.act(
        world.lender,
        frozen.position('repay'),
        { loanId: 1, all: true },
        { by: borrower },
      )
      expect(data.loanClosed).toBe(true)
      expect(await liens(frozen)).toMatchObject({ intact: true, open: [] })
      expect(await frozenBy(frozen, borrower.address)).toBe(0n)
    })
  })
})
