import { deploySafe, wallet } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import { createLoansLife, type LoansLife } from '../../../test/lending/loans-life.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { abis } from '../contracts.ts'

const borrower = wallet(3)
const payee = wallet(5)
const lower = (address: string) => address.toLowerCase()

describe('borrowing more', () => {
  let world: ProxiedWorld
  let life: LoansLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createLoansLife(world)
    await life.flatFees(2_000_000n, 0n)
    market = await life.earning({}, 20_000)
    // Loan 1, which pays somebody else.
    await life.opened(market, borrower, 100, 1_000, { payToAddress: payee.address })
  })
  afterAll(() => world.close())

  const build = (body: Record<string, unknown> = {}) =>
    life.build('borrow-more', market, { loanId: 1, amount: '500', ...body })
  const sign = (built: { transaction: { to: Hex; data: Hex } }) => world.sendRaw(borrower, built.transaction)

  it('builds one transaction for the borrower, and confirms what it drew', async () => {
    const { text } = await life.post('borrow-more', market, { loanId: 1, amount: '500' })
    expect(text).toContain('"loanId":1,')
    const built = await build()
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'borrowMore',
      value: '0',
      chainId: world.node.chainId,
      simulation: { simulated: true, success: true },
      paidTo: lower(payee.address),
      payeeAddress: lower(payee.address),
      transactionFee: { kind: 'OPEN', fee: '2', borrowed: '500', netDisbursed: '498' },
      preview: { collateral: '100', maxBorrow: '7500', price: '100' },
      vaultDraws: [],
      confirmWith: {
        endpoint: life.path('borrow-more', market),
        field: 'txHash',
        body: { loanId: 1, amount: '500', txHash: null },
      },
    })
    expect(Object.keys(built.transaction)).toEqual(['to', 'data'])
    expect(built.transaction.to).toBe(market.marketAddress)
    const txHash = await sign(built)
    const { data } = must(await life.post('borrow-more', market, { loanId: 1, amount: '500.00', txHash })).body
    expect(data).toEqual({
      txHash,
      loanId: 1,
      additionalBorrow: '500',
      paidTo: lower(payee.address),
      vaultDraws: [],
    })
    const { principal, interest, health } = await life.loanAfter(market, '1', txHash)
    // The interest of the seconds in between is all that the preview could not know.
    const debt = Number(principal + interest) / 1e6
    expect(debt).toBeGreaterThanOrEqual(Number(built.preview.debt))
    expect(debt).toBeCloseTo(Number(built.preview.debt), 2)
    expect(Number(health) / 1e18).toBeCloseTo(Number(built.preview.healthFactor), 4)
    for (const [loanId, amount] of [
      [1, '499'],
      [2, '500'],
    ] as const)
      await life.refused('borrow-more', market, { loanId, amount, txHash }, 400, 'TX_NOT_VERIFIED')
  })

  it('refuses nothing for what it would do: the simulation tells', async () => {
    const tooMuch = await build({ amount: '7000' })
    expect(tooMuch.simulation.revert).toMatchObject({ error: 'ExceedsMaxBorrow', code: 'EXCEEDS_MAX_BORROW' })
    expect(tooMuch.preview).toMatchObject({ availableToBorrow: '0' })
    const poolShort = await life.opened(market, borrower, 1_000, 10_000)
    const loanId = Number(poolShort.loanId)
    const dry = await build({ loanId, amount: '30000' })
    expect(dry).toMatchObject({ simulation: { revert: { error: 'InsufficientLiquidity' } }, vaultDraws: [] })
    await life.call(market.marketAddress, abis.market, 'pause', [])
    expect((await build()).simulation.revert.error).toBe('MarketIsPaused')
    await life.call(market.marketAddress, abis.market, 'unpause', [])
    await life.repay(market, borrower, BigInt(loanId), 20_000)
    const closed = await build({ loanId })
    expect(closed).toMatchObject({ preview: null, simulation: { revert: { error: 'LoanNotActive' } } })
    const signedPrice = await life.signPrice(market, 100, { by: wallet(7) })
    await life.travel(2)
    const stranger = await build({ signedPrice: { ...signedPrice, timestamp: signedPrice.timestamp + 1 } })
    expect(stranger).toMatchObject({ preview: null, simulation: { revert: { error: 'NotSigner' } } })
  })

  it('draws on vaults what the pool lacks', async () => {
    const vault = await life.connectedVault(market, 5_000, 4_000)
    const { loanId } = await life.opened(market, borrower, 1_000, 18_000)
    const built = await build({ loanId: Number(loanId), amount: '3000' })
    expect(built.simulation.success).toBe(true)
    expect(built.vaultDraws).toEqual([{ vault, amount: expect.any(String) }])
    const txHash = await sign(built)
    const confirmed = await life.post('borrow-more', market, { loanId: Number(loanId), amount: '3000', txHash })
    expect(must(confirmed).body.data).toMatchObject({ paidTo: lower(borrower.address), vaultDraws: built.vaultDraws })
    await life.fund(market, 20_000)
  })

  it('is proven through a Safe by its event', async () => {
    const safe = await deploySafe(world.node, [wallet(1), wallet(2)])
    await life.register(safe.address)
    await life.giveCollateral(safe.address, 50)
    const wish = { collateralAmount: '50', borrowAmount: '1000', borrowerAddress: safe.address }
    const [open] = (await life.build('open-loan', market, wish)).steps
    const { receipt } = await safe.execThroughSafe({ to: open.transaction.to, data: open.transaction.data })
    const opened = must(await life.post('open-loan', market, { txHash: receipt.transactionHash })).body.data
    const loanId = Number(opened.loanId)
    const built = await build({ loanId, amount: '200.5' })
    const done = await safe.execThroughSafe(built.transaction)
    const { transactionHash: txHash } = done.receipt
    const { data } = must(await life.post('borrow-more', market, { loanId, amount: '200.5', txHash })).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', loanId, additionalBorrow: '200.5' })
    expect(data.paidTo).toBe(lower(safe.address))
  })

  it('refuses what is no such request, no loan, or no market that lends', async () => {
    for (const body of [
      { loanId: '1', amount: '500' },
      { loanId: 0, amount: '500' },
      { loanId: 1.5, amount: '500' },
      { loanId: 1 },
      { amount: '500' },
      { loanId: 1, amount: '0' },
      { loanId: 1, amount: '-5' },
      { loanId: 1, amount: '0.0000001' },
      { loanId: 1, amount: 500 },
      { loanId: 1, amount: '500', other: 1 },
    ])
      await life.refused('borrow-more', market, body, 400, 'VALIDATION_ERROR')
    await life.refused('borrow-more', market, { loanId: 999, amount: '500' }, 404, 'LOAN_NOT_FOUND')
    const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
    await life.refused('borrow-more', pending, { loanId: 1, amount: '500' }, 409, 'MARKET_PENDING_CURATOR')
    await life.expectUnreadable('borrow-more', market, { loanId: 1, amount: '500' })
    await life.expectConfirmFaults('borrow-more', market, { loanId: 1, amount: '500' })
  })

  it('takes a signed price in the place of a stale one', async () => {
    await life.travel(86_401)
    expect(await build()).toMatchObject({ preview: null, simulation: { revert: { error: 'PriceStale' } } })
    const signedPrice = await life.signPrice(market, 110)
    const built = await build({ signedPrice })
    expect(built).toMatchObject({ simulation: { success: true }, preview: { price: '110', maxBorrow: '8250' } })
    await sign(built)
    expect(await life.read<bigint>(market.oracle, abis.oracle, 'price')).toBe(units(110, 6))
  })

  it('is built for a loan past its due date, and for a market past its last day: the simulation says why not', async () => {
    const terms = (lastDay: bigint) =>
      life.call(market.marketAddress, abis.market, 'setTermConfig', [30n * 86_400n, 86_400n, lastDay, 0n])
    await terms(0n)
    const { loanId } = await life.opened(market, borrower, 100, 1_000)
    const draw = { loanId: Number(loanId), amount: '500' }
    await life.travelFresh(market, 30 * 86_400 - 60)
    expect((await build(draw)).simulation).toMatchObject({ simulated: true, success: true })
    await life.travelFresh(market, 61)
    const late = await build(draw)
    expect(late).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'borrowMore',
      simulation: {
        simulated: true,
        success: false,
        revert: {
          error: 'LoanPastDue',
          code: 'LOAN_PAST_DUE',
          message: expect.stringContaining('The loan is past its due date: nothing more is lent on it.'),
        },
      },
    })
    // The contract says the same to whoever signs it all the same.
    const unwise = { account: borrower, to: late.transaction.to, data: late.transaction.data, gas: 1_000_000n }
    const txHash = await world.node.walletClient.sendTransaction(unwise)
    await world.node.publicClient.waitForTransactionReceipt({ hash: txHash })
    await life.refused('borrow-more', market, { ...draw, txHash }, 400, 'TX_REVERTED')
    await life.repay(market, borrower, BigInt(loanId), 20_000)
    const next = await life.opened(market, borrower, 100, 1_000)
    await terms(BigInt((await life.now()) + 3_600))
    await life.travelFresh(market, 3_601)
    const over = await build({ loanId: Number(next.loanId) })
    expect(over.simulation).toMatchObject({ success: false, revert: { code: 'MARKET_TERM_EXPIRED' } })
    await terms(0n)
  })

  it('is no way out of a stamped rate', async () => {
    await life.call(market.marketAddress, abis.market, 'setTermConfig', [30n * 86_400n, 86_400n, 0n, 0n])
    await life.call(market.rateModel, abis.rateModel, 'setRateMode', [2, 0n, 0n, 650n])
    const { loanId, data } = await life.opened(market, borrower, 100, 1_000)
    expect(data.fixedRateBps).toBe(650)
    const built = await build({ loanId: Number(loanId) })
    expect(built.simulation.revert).toMatchObject({ error: 'FixedRateLoan', code: 'FIXED_RATE_LOAN' })
  })
})
