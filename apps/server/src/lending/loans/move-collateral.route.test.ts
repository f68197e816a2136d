import { demoSecurityAbi } from '@tallystick/abi'
import { deploySafe, deployTrex, type Trex, trexTokenAbi, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { formatUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import { createLoansLife, type LoansLife } from '../../../test/lending/loans-life.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { abis } from '../contracts.ts'

const borrower = wallet(3)
const lower = (address: string) => address.toLowerCase() as Address

describe('moving collateral of a loan', () => {
  let world: ProxiedWorld
  let life: LoansLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createLoansLife(world)
    market = await life.earning({}, 50_000)
    await life.opened(market, borrower, 100, 5_000)
    await life.giveCollateral(borrower.address, 1_000)
  })
  afterAll(() => world.close())

  const add = (body: Record<string, unknown> = {}, on = market) =>
    life.build('add-collateral', on, { loanId: '1', amount: '20', ...body })
  const withdraw = (body: Record<string, unknown> = {}, on = market) =>
    life.build('withdraw-collateral', on, { loanId: '1', amount: '20', ...body })
  const refused = (action: 'add' | 'withdraw', more: Record<string, unknown>, status: number, code: string) =>
    life.refused(`${action}-collateral`, market, { loanId: '1', amount: '20', ...more }, status, code)

  it('adds to it while the market is paused and its price is stale', async () => {
    await life.travel(86_401)
    await life.call(market.marketAddress, abis.market, 'pause', [])
    const built = await add({ loanId: 1 })
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTIONS',
      steps: [{ functionName: 'addCollateral', description: 'Pledges 20 NORD more for loan 1.' }],
      confirmStepIndex: 0,
      mode: 'FREEZE',
      loanId: '1',
      amount: '20',
      simulation: { success: true },
      preview: { collateral: '120', price: '100', maxBorrow: '9000' },
      confirmWith: {
        endpoint: life.path('add-collateral', market),
        field: 'txHash',
        body: { loanId: '1', txHash: null },
      },
    })
    const txHash = await life.signSteps(borrower, built)
    const { data } = must(await life.post('add-collateral', market, { loanId: '1', txHash })).body
    expect(data).toEqual({ txHash, loanId: '1', amount: '20', collateralAmount: '120' })
    const { health } = await life.loanAfter(market, '1', txHash)
    expect(Number(formatUnits(health, 18))).toBeCloseTo(Number(built.preview.healthFactor), 4)
    await life.call(market.marketAddress, abis.market, 'unpause', [])
    await life.price(market, units(100, 6))
    await life.refused('add-collateral', market, { loanId: '2', txHash }, 400, 'TX_NOT_VERIFIED')
  })

  it('withdraws what the debt does not need', async () => {
    const built = await withdraw()
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTION',
      transaction: { to: market.marketAddress, value: '0', chainId: world.node.chainId },
      functionName: 'withdrawCollateral',
      simulation: { success: true },
      loanId: '1',
      amount: '20',
      preview: { collateral: '100', maxBorrow: '7500' },
      collateralRelease: null,
      confirmWith: { endpoint: life.path('withdraw-collateral', market), body: { loanId: '1', txHash: null } },
    })
    const txHash = await world.sendRaw(borrower, built.transaction)
    const { data } = must(await life.post('withdraw-collateral', market, { loanId: '1', txHash })).body
    expect(data).toEqual({ txHash, loanId: '1', amount: '20', collateralAmount: '100', delivered: true })
    const { health } = await life.loanAfter(market, '1', txHash)
    expect(Number(formatUnits(health, 18))).toBeCloseTo(Number(built.preview.healthFactor), 4)
    const frozen = await life.read<bigint>(world.security.token, demoSecurityAbi, 'getFrozenTokens', [borrower.address])
    expect(frozen).toBe(units(100))
  })

  it('says what stays frozen when the adapter lost its role', async () => {
    await life.call(world.security.token, demoSecurityAbi, 'removeAgent', [market.adapter])
    const agent = await refused('add', {}, 400, 'COLLATERAL_ADAPTER_NOT_AUTHORIZED')
    expect(agent.details).toEqual({ adapterAddress: market.adapter, requirement: 'TOKEN_AGENT' })
    const txHash = await world.sendRaw(borrower, (await withdraw({ amount: '5' })).transaction)
    const { data } = must(await life.post('withdraw-collateral', market, { loanId: '1', txHash })).body
    expect(data).toMatchObject({ delivered: false, deferredAmount: '5', adapterAddress: market.adapter })
    expect(data.message).toContain('releaseDeferred')
    await life.call(world.security.token, demoSecurityAbi, 'addAgent', [market.adapter])
    await life.call(market.adapter, abis.freezeAdapter, 'releaseDeferred', [borrower.address])
  })

  it('refuses requests of another form and loans that are not there', async () => {
    for (const action of ['add', 'withdraw'] as const) {
      for (const more of [{ loanId: 'x' }, { loanId: 0 }, { amount: undefined }, { amount: '0' }, { other: 1 }])
        await refused(action, more, 400, 'VALIDATION_ERROR')
      await refused(action, { loanId: '99' }, 404, 'LOAN_NOT_FOUND')
      await life.expectUnreadable(`${action}-collateral`, market, { loanId: '1', amount: '20' })
      await life.expectConfirmFaults(`${action}-collateral`, market, { loanId: '1' })
    }
    await life.config(market, { maxTotalCollateral: units(100) })
    await refused('add', {}, 400, 'SUPPLY_CAP_EXCEEDED')
    await life.config(market, { maxTotalCollateral: 0n, maxUserCollateral: units(100) })
    await refused('add', {}, 400, 'USER_SUPPLY_CAP_EXCEEDED')
    await life.config(market, { maxUserCollateral: 0n })
    const short = await refused('add', { amount: '1006' }, 400, 'INSUFFICIENT_FREE_COLLATERAL')
    expect(short.details).toEqual({ holder: lower(borrower.address), balance: '1100', frozen: '95', free: '1005' })
  })

  it('refuses to withdraw what the debt needs at the collateral factor', async () => {
    const none = await refused('withdraw', { amount: '95.000000000000000001' }, 400, 'INSUFFICIENT_COLLATERAL')
    expect(none.message).toContain('holds 95')
    // 64 tokens keep the loan healthy for the chain, but carry only 4800.
    const breach = await refused('withdraw', { amount: '31' }, 400, 'WOULD_BREACH_HEALTH_FACTOR')
    expect(breach.details).toMatchObject({ maxBorrow: '4800' })
    expect(Number(breach.details.healthFactor)).toBeGreaterThan(1)
    await life.expectSignedPriceFaults('withdraw-collateral', market, { loanId: '1', amount: '5' }, wallet(7))
    await life.travel(86_401)
    await refused('withdraw', { amount: '5' }, 400, 'PRICE_STALE')
    const signedPrice = await life.signPrice(market, 140)
    const built = await withdraw({ amount: '40', signedPrice })
    expect(built).toMatchObject({ simulation: { success: true }, preview: { price: '140', collateral: '55' } })
    await life.price(market, units(100, 6))
  })

  it('is over with the loan', async () => {
    const { loanId } = await life.opened(market, borrower, 10, 100)
    await life.repay(market, borrower, BigInt(loanId), 200)
    for (const action of ['add', 'withdraw'] as const) await refused(action, { loanId }, 400, 'LOAN_NOT_ACTIVE')
  })

  it('asks for no price where nothing is owed', async () => {
    const { loanId } = await life.opened(market, borrower, 100, 7_000)
    await life.priceTo(market, units(80, 6))
    const { liquidationId } = await life.liquidate(market, BigInt(loanId))
    // The sale of one half pays the other half as well.
    await life.settle(market, liquidationId, units(8_000, 6))
    await life.travel(86_401)
    const built = await withdraw({ loanId, amount: '1' })
    expect(built).toMatchObject({ simulation: { success: true }, preview: { debt: '0', healthFactor: null } })
    await life.priceTo(market, units(100, 6))
  })

  describe('in custody of a token that asks for identities', () => {
    let trex: Trex
    let custody: LiveMarket

    beforeAll(async () => {
      trex = await deployTrex(world.node)
      await world.importToken(world.deployer, lower(trex.token))
      custody = await life.adopted({ mode: 'CUSTODY', collateralTokenAddress: trex.token })
      await life.fund(custody, 50_000)
      await trex.registerHolder(borrower.address)
      await trex.mint(borrower.address, units(1_000))
    })

    const open = { collateralAmount: '100', borrowAmount: '5000', borrowerAddress: borrower.address }
    const freeze = (isFrozen: boolean) =>
      life.call(lower(trex.token), trexTokenAbi, 'setAddressFrozen', [borrower.address, isFrozen])

    it('opens once the adapter is a holder', async () => {
      const early = await life.refused('open-loan', custody, open, 400, 'COLLATERAL_ADAPTER_NOT_AUTHORIZED')
      expect(early.details.requirement).toBe('VERIFIED_HOLDER')
      await trex.registerHolder(custody.adapter)
      const built = await life.build('open-loan', custody, open)
      expect(built.simulation.success).toBe(true)
      const txHash = await life.signSteps(borrower, built)
      expect(must(await life.post('open-loan', custody, { txHash })).body.data).toMatchObject({ loanId: '1' })
    })

    it('adds after an approval, unless the token refuses', async () => {
      const built = await add({}, custody)
      expect(built).toMatchObject({ confirmStepIndex: 1, mode: 'CUSTODY', simulation: { success: true } })
      const txHash = await life.signSteps(borrower, built)
      const { data } = must(await life.post('add-collateral', custody, { loanId: '1', txHash })).body
      expect(data).toMatchObject({ amount: '20', collateralAmount: '120' })
      await freeze(true)
      const body = { loanId: '1', amount: '20' }
      const restricted = await life.refused('add-collateral', custody, body, 400, 'COLLATERAL_TRANSFER_RESTRICTED')
      expect(restricted.details).toEqual({
        holder: lower(borrower.address),
        adapterAddress: custody.adapter,
        reason: 'wallet is frozen',
      })
      await freeze(false)
    })

    it('gives back, or keeps for the holder what the token does not let return, as foretold', async () => {
      const free = await withdraw({}, custody)
      expect(free.collateralRelease).toMatchObject({ willEscrow: false, verdictUnreadable: false, claimAction: null })
      const delivered = await world.sendRaw(borrower, free.transaction)
      const first = must(await life.post('withdraw-collateral', custody, { loanId: '1', txHash: delivered })).body.data
      expect(first).toEqual({
        txHash: delivered,
        loanId: '1',
        amount: '20',
        collateralAmount: '100',
        delivered: true,
      })
      await freeze(true)
      const blocked = await withdraw({}, custody)
      expect(blocked.simulation.success).toBe(true)
      expect(blocked.collateralRelease).toMatchObject({
        willEscrow: true,
        holder: lower(borrower.address),
        adapterAddress: custody.adapter,
        marketId: custody.marketId,
        claimAction: 'claim-escrowed-collateral',
      })
      const txHash = await world.sendRaw(borrower, blocked.transaction)
      const { data } = must(await life.post('withdraw-collateral', custody, { loanId: '1', txHash })).body
      expect(data).toMatchObject({
        amount: '20',
        collateralAmount: '80',
        delivered: false,
        escrowed: true,
        escrowedAmount: '20',
        adapterAddress: custody.adapter,
        claimAction: 'claim-escrowed-collateral',
      })
      expect(await life.read<bigint>(custody.adapter, abis.custodyAdapter, 'escrowOf', [borrower.address])).toBe(
        units(20),
      )
      await freeze(false)
    })

    it('is proven through a Safe by its events', async () => {
      const safe = await deploySafe(world.node, [wallet(1), wallet(2)])
      await trex.registerHolder(safe.address)
      await trex.mint(safe.address, units(100))
      const through = async (steps: { transaction: { to: Address; data: `0x${string}` } }[]) => {
        let txHash = ''
        for (const { transaction } of steps)
          txHash = (await safe.execThroughSafe({ to: transaction.to, data: transaction.data })).receipt.transactionHash
        return txHash
      }
      const request = { collateralAmount: '50', borrowAmount: '1000', borrowerAddress: safe.address }
      const opening = await through((await life.build('open-loan', custody, request)).steps)
      const { loanId } = must(await life.post('open-loan', custody, { txHash: opening })).body.data
      const adding = await through((await add({ loanId }, custody)).steps)
      const added = must(await life.post('add-collateral', custody, { loanId, txHash: adding })).body.data
      expect(added).toMatchObject({ verifiedBy: 'receipt-log', loanId, amount: '20', collateralAmount: '70' })
      const taking = await through([await withdraw({ loanId, amount: '10' }, custody)])
      const taken = must(await life.post('withdraw-collateral', custody, { loanId, txHash: taking })).body.data
      expect(taken).toMatchObject({ verifiedBy: 'receipt-log', amount: '10', delivered: true })
    })
  })
})
