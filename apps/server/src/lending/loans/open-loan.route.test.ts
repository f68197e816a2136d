import { demoSecurityAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, formatUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import { createLoansLife, type LoansLife } from '../../../test/lending/loans-life.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createListedToken, createVenue } from '../../../test/lending/setup-helpers.ts'
import { eventId } from '../../platform/ids.ts'
import { abis } from '../contracts.ts'

const borrower = wallet(3)
const other = wallet(4)
const payee = wallet(5)
const stranger = wallet(7)
const lower = (address: string) => address.toLowerCase()

describe('opening a loan', () => {
  let world: ProxiedWorld
  let life: LoansLife
  let market: LiveMarket
  let custody: LiveMarket

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createLoansLife(world)
    await life.flatFees(2_000_000n, 1_000_000n)
    market = await life.earning({}, 20_000)
    custody = await life.adopted({ mode: 'CUSTODY' })
    await life.fund(custody, 20_000)
    await life.giveCollateral(borrower.address, 10_000)
  })
  afterAll(() => world.close())

  const wish = (more: Record<string, unknown> = {}) => ({
    collateralAmount: '100',
    borrowAmount: '5000',
    borrowerAddress: borrower.address,
    ...more,
  })
  const refused = (more: Record<string, unknown>, status: number, code: string, on: { marketId: string } = market) =>
    life.refused('open-loan', on, wish(more), status, code)

  it('freezes collateral of the borrower and pays out less the fee, as the build foretold', async () => {
    const built = await life.build('open-loan', market, wish())
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTIONS',
      steps: [
        {
          action: 'SIGN_TRANSACTION',
          transaction: { to: market.marketAddress, value: '0', chainId: world.node.chainId },
          functionName: 'openLoan',
          description: 'Pledges 100 NORD and borrows 5000 USDX.',
        },
      ],
      confirmStepIndex: 0,
      simulation: { simulated: true, success: true },
      mode: 'FREEZE',
      borrowerAddress: lower(borrower.address),
      payeeAddress: null,
      payee: null,
      offering: null,
      transactionFee: {
        kind: 'OPEN',
        fee: '2',
        feeRaw: '2000000',
        borrowed: '5000',
        netDisbursed: '4998',
        netDisbursedRaw: '4998000000',
      },
      preview: {
        collateral: '100',
        debt: '5000',
        healthFactor: '1.7',
        maxBorrow: '7500',
        availableToBorrow: '2500',
        price: '100',
      },
      vaultDraws: [],
      confirmWith: {
        endpoint: life.path('open-loan', market),
        field: 'txHash',
        body: { borrowerAddress: lower(borrower.address), txHash: null },
      },
    })
    const txHash = await life.signSteps(borrower, built)
    const { status, body } = await life.post('open-loan', market, { ...built.confirmWith.body, txHash })
    expect(status).toBe(200)
    const { logs } = await world.node.publicClient.getTransactionReceipt({ hash: txHash })
    const told = logs.filter(({ address }) => address === market.marketAddress).map(({ logIndex }) => logIndex)
    expect(body.data).toEqual({
      txHash,
      loanId: '1',
      positionId: eventId(world.node.chainId, txHash, (told[0] ?? 0) - (logs[0]?.logIndex ?? 0), 'market.LoanOpened'),
      borrowerAddress: lower(borrower.address),
      collateralAmount: '100',
      borrowAmount: '5000',
      netDisbursed: '4998',
      payeeAddress: null,
      paidTo: lower(borrower.address),
      dueAt: null,
      fixedRateBps: null,
      vaultDraws: [],
    })
    const loan = await life.loanAfter(market, '1', txHash)
    expect([loan.collateral, loan.principal, loan.interest, loan.health]).toEqual([
      units(100),
      units(5_000, 6),
      0n,
      units(1.7),
    ])
    // Again, it is the same answer.
    expect((await life.post('open-loan', market, { txHash })).body.data).toEqual(body.data)
    const ofOther = { txHash, borrowerAddress: other.address }
    await life.refused('open-loan', market, ofOther, 400, 'TX_NOT_VERIFIED')
  })

  it('needs the adapter admitted, then takes collateral into custody after an approval', async () => {
    const early = await refused({}, 400, 'COLLATERAL_ADAPTER_NOT_AUTHORIZED', custody)
    expect(early.details).toEqual({ adapterAddress: custody.adapter, requirement: 'VERIFIED_HOLDER' })
    await life.admit(custody)
    const built = await life.build('open-loan', custody, wish())
    expect(built).toMatchObject({ confirmStepIndex: 1, mode: 'CUSTODY', simulation: { success: true } })
    expect(built.steps.map(({ functionName }: { functionName: string }) => functionName)).toEqual([
      'approve',
      'openLoan',
    ])
    expect(built.steps[0].transaction.to).toBe(world.security.token)
    const txHash = await life.signSteps(borrower, built)
    const { data } = must(await life.post('open-loan', custody, { txHash })).body
    expect(data).toMatchObject({ loanId: '1', collateralAmount: '100', borrowAmount: '5000' })
    const held = await life.read<bigint>(world.security.token, demoSecurityAbi, 'balanceOf', [custody.adapter])
    expect(held).toBe(units(100))
    const file = await world.deployer.post(`${life.path('open-loan', custody)}?format=safe`, wish())
    expect(file.body.transactions).toHaveLength(2)
  })

  it('refuses custody that the token would not let go, whatever its reason', async () => {
    await life.call(world.security.token, demoSecurityAbi, 'setAddressFrozen', [borrower.address, true])
    const restricted = await refused({}, 400, 'COLLATERAL_TRANSFER_RESTRICTED', custody)
    expect(restricted.details).toMatchObject({ holder: lower(borrower.address), adapterAddress: custody.adapter })
    expect(restricted.details.reason).toContain('frozen this wallet')
    await life.call(world.security.token, demoSecurityAbi, 'setAddressFrozen', [borrower.address, false])
    // A token that answers nothing refuses nothing beforehand: the simulation tells.
    const built = await world.withBroken(world.security.token, () => life.build('open-loan', market, wish()))
    expect(built.simulation).toMatchObject({ simulated: true, success: false })
  })

  it('costs two round trips beside the simulation, whatever the token does', async () => {
    expect(await world.roundTrips(() => life.build('open-loan', market, wish()))).toBe(4)
    expect(await world.roundTrips(() => life.build('open-loan', custody, wish()))).toBe(4)
    const { publicClient, testClient } = world.node
    const address = world.security.token
    const bytecode = await publicClient.getCode({ address })
    // An invalid instruction burns all gas that it is given, and takes no time; a loop that does takes some nodes seconds.
    await testClient.setCode({ address, bytecode: '0xfe' })
    const built = await life.build('open-loan', custody, wish())
    await testClient.setCode({ address, bytecode: bytecode ?? '0x' })
    expect(built.simulation.success).toBe(false)
  })

  it('pays a payee for life, who is none of the contracts of the market', async () => {
    const vault = await life.connectedVault(market, 30_000, 1_000)
    const venue = await createVenue(world, world.deployer, market.marketId)
    await life.call(market.marketAddress, abis.market, 'setAuctionModule', [venue])
    for (const [reason, payToAddress] of [
      ['MARKET', market.marketAddress],
      ['ROUTER', market.router],
      ['ADAPTER', market.adapter],
      ['AUCTION_MODULE', venue],
      ['INSURANCE_FUND', market.fund],
      ['SETTLEMENT_TOKEN', world.cash],
      ['COLLATERAL_TOKEN', world.security.token],
      ['ORACLE', market.oracle],
      ['INTEREST_MODEL', market.rateModel],
      ['VAULT', vault],
    ] as const)
      expect((await refused({ payToAddress }, 400, 'PAY_TO_NOT_ALLOWED')).reason).toBe(reason)
    await refused({ payToAddress: '0x12' }, 400, 'INVALID_PAY_TO_ADDRESS')
    await refused({ payToAddress: zeroAddress }, 400, 'INVALID_PAY_TO_ADDRESS')
    for (const payToAddress of [null, '', borrower.address])
      expect((await life.build('open-loan', market, wish({ payToAddress }))).payee).toBeNull()

    const { built, data } = await life.opened(market, borrower, 100, 1_000, { payToAddress: payee.address })
    expect(built.payee).toEqual({
      address: lower(payee.address),
      borrowerOfRecord: lower(borrower.address),
      receives: 'DRAWS',
      netDisbursed: '998',
      fixedForLife: true,
      receivesBorrowMore: true,
    })
    expect(data).toMatchObject({
      payeeAddress: lower(payee.address),
      paidTo: lower(payee.address),
      netDisbursed: '998',
    })
    const balance = await life.read<bigint>(world.cash, demoSecurityAbi, 'balanceOf', [payee.address])
    expect(balance).toBe(units(998, 6))
  })

  it('asks the register of the market about borrower and payee', async () => {
    await life.gates(market, world.security.registry)
    const named = { borrowerAddress: stranger.address }
    const unknown = await refused(named, 400, 'IDENTITY_NOT_VERIFIED')
    expect(unknown.details).toEqual({ register: world.security.registry, account: lower(stranger.address) })
    const unpaid = await refused({ payToAddress: payee.address }, 400, 'PAYEE_NOT_VERIFIED')
    expect(unpaid.details).toEqual({ register: world.security.registry, account: lower(payee.address) })
    await life.gates(market, zeroAddress)
  })

  it('draws on vaults what the pool lacks, as foretold', async () => {
    // The pool has 14,000 left and the first vault gives 1,000.
    const second = await life.connectedVault(market, 5_000, 2_500)
    const most = await refused({ collateralAmount: '400', borrowAmount: '20000' }, 400, 'INSUFFICIENT_LIQUIDITY')
    expect(most.message).toBe('At most 17500 can be lent now.')
    const [first] = await life.read<Address[]>(market.marketAddress, abis.market, 'vaults')
    await life.call(market.marketAddress, abis.market, 'setReserveRatio', [500])
    const { built, data } = await life.opened(market, borrower, 400, 14_300)
    expect(built.simulation.success).toBe(true)
    expect(built.vaultDraws.map(({ vault }: { vault: string }) => vault)).toEqual([lower(first ?? ''), second])
    expect(built.vaultDraws[0].amount).toBe('1000')
    expect(data.vaultDraws).toEqual(built.vaultDraws)
    await life.call(market.marketAddress, abis.market, 'setReserveRatio', [0])
    await life.fund(market, 50_000)
  })

  it('opens through a Safe, proven by its event', async () => {
    const safe = await deploySafe(world.node, [wallet(1), wallet(2)])
    await life.register(safe.address)
    await life.giveCollateral(safe.address, 50)
    const built = await life.build('open-loan', custody, {
      collateralAmount: '50',
      borrowAmount: '1000',
      borrowerAddress: safe.address,
    })
    const [approve, open] = built.steps
    await safe.execThroughSafe(approve.transaction)
    const { receipt } = await safe.execThroughSafe({ to: open.transaction.to, data: open.transaction.data })
    const { data } = must(await life.post('open-loan', custody, { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({
      verifiedBy: 'receipt-log',
      borrowerAddress: lower(safe.address),
      borrowAmount: '1000',
    })
  })

  it('refuses what is no request for a loan', async () => {
    await refused({ borrowerAddress: undefined }, 400, 'BORROWER_ADDRESS_REQUIRED')
    for (const more of [
      { collateralAmount: undefined },
      { borrowAmount: undefined },
      { borrowAmount: '0' },
      { borrowAmount: '1.0000001' },
      { collateralAmount: '9'.repeat(60) },
      { borrowerAddress: zeroAddress },
      { clientReference: 'x' },
    ])
      await refused(more, 400, 'VALIDATION_ERROR')
  })

  it('refuses what the market would refuse, and says why', async () => {
    const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
    await refused({}, 409, 'MARKET_PENDING_CURATOR', pending)
    const bare = await life.adopted({ borrowAssetAddress: await world.createCash('BARE') })
    const agent = await refused({}, 400, 'COLLATERAL_ADAPTER_NOT_AUTHORIZED', bare)
    expect(agent.details.requirement).toBe('TOKEN_AGENT')
    const listed = await life.adopted({ collateralTokenAddress: await createListedToken(world), mode: 'CUSTODY' })
    const unlisted = await refused({}, 400, 'COLLATERAL_ADAPTER_NOT_AUTHORIZED', listed)
    expect(unlisted.details.requirement).toBe('AUTHORIZED_CONTRACT')

    await refused({ borrowAmount: '99' }, 400, 'BELOW_MIN_BORROW')
    await refused({ borrowAmount: '7500.000001' }, 400, 'EXCEEDS_MAX_BORROW')
    const poor = await refused({ borrowerAddress: other.address }, 400, 'INSUFFICIENT_FREE_COLLATERAL')
    expect(poor.details).toEqual({ holder: lower(other.address), balance: '0', frozen: '0', free: '0' })
    const frozen = await refused({ collateralAmount: '10000' }, 400, 'INSUFFICIENT_FREE_COLLATERAL')
    expect(Number(frozen.details.frozen)).toBe(600)
    await life.config(market, { maxTotalCollateral: units(650) })
    await refused({}, 400, 'SUPPLY_CAP_EXCEEDED')
    await life.config(market, { maxTotalCollateral: 0n, maxUserCollateral: units(650) })
    await refused({}, 400, 'USER_SUPPLY_CAP_EXCEEDED')
    await life.config(market, { maxUserCollateral: 0n })
    await life.call(market.marketAddress, abis.market, 'pause', [])
    await refused({}, 400, 'MARKET_PAUSED')
    await life.call(market.marketAddress, abis.market, 'unpause', [])
    await life.expectUnreadable('open-loan', market, wish())
  })

  it('refuses hashes that prove no loan', () => life.expectConfirmFaults('open-loan', market))

  it('takes a signed price in the place of a stale one', async () => {
    await life.expectSignedPriceFaults('open-loan', market, wish(), stranger)
    await life.travel(86_401)
    await refused({}, 400, 'PRICE_STALE')
    const signedPrice = await life.signPrice(market, 120)
    const { built, txHash, loanId } = await life.opened(market, borrower, 100, 8_900, { signedPrice })
    expect(built).toMatchObject({ simulation: { success: true }, preview: { price: '120', maxBorrow: '9000' } })
    const { health } = await life.loanAfter(market, loanId, txHash)
    expect(built.preview.healthFactor).toBe(formatUnits(health, 18))
  })

  it('stamps term and rate of a loan, until the last day of the market', async () => {
    const { marketAddress } = market
    await life.call(marketAddress, abis.market, 'setTermConfig', [30n * 86_400n, 3n * 86_400n, 0n, 100n])
    await life.call(market.rateModel, abis.rateModel, 'setRateMode', [2, 0n, 0n, 650n])
    const before = await life.now()
    const { built, data } = await life.opened(market, borrower, 100, 1_000)
    expect(built.offering).toEqual({
      approximateDueAt: expect.any(Number),
      termGracePeriodSeconds: 3 * 86_400,
      termPenaltyBps: 100,
      fixedRateBps: 650,
      stampedAtSigning: ['dueAt', 'termGracePeriodSeconds', 'termPenaltyBps', 'fixedRateBps'],
    })
    expect(built.offering.approximateDueAt - before).toBeGreaterThanOrEqual(30 * 86_400)
    expect(Math.abs(data.dueAt - built.offering.approximateDueAt)).toBeLessThan(60)
    expect(data.fixedRateBps).toBe(650)
    const last = BigInt((await life.now()) + 3_600)
    await life.call(marketAddress, abis.market, 'setTermConfig', [30n * 86_400n, 3n * 86_400n, last, 100n])
    expect((await life.build('open-loan', market, wish())).offering.approximateDueAt).toBe(Number(last))
    await life.travel(3_601)
    await refused({}, 409, 'MARKET_TERM_EXPIRED')
  })
})
