import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, units } from './lending-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement } from './story-checks.ts'
import { trexCollateral } from './story-collateral.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

const FRANCE = 250

/** An ERC-3643 token whose rules change while it is pledged: the debt is paid, the collateral waits. */
describe('the story of collateral that its token does not let go home', () => {
  const { borrower, liquidator, broker } = cast
  let world: LendingWorld
  let stage: Stage
  let rules: Awaited<ReturnType<typeof trexCollateral>>

  beforeAll(async () => {
    world = await createLendingWorld()
    rules = await trexCollateral(world, FRANCE)
    const { collateral } = rules
    stage = await raiseMarket(world, { mode: 'CUSTODY', collateral, holders: [borrower, liquidator, broker] })
  })
  afterAll(() => world.close())

  const held = (account: string) => stage.balanceOf(account as never, stage.collateralToken)
  const escrowed = async () =>
    (await stage.read(stage.position(`escrowed-collateral/${borrower.address}`))).data.escrowedCollateral
  const compliance = async () => (await stage.read(stage.position('loan/1'))).data.compliance
  const claim = async () => {
    const body = { holderAddress: borrower.address }
    return must(await world.lender.post(stage.position('claim-escrowed-collateral'), body)).body.data
  }

  it('begins with a pledge that the adapter takes into custody', async () => {
    const { built } = await stage.open('borrower', 1_000, 40_000)
    expect(built.steps.map(({ functionName }: { functionName: string }) => functionName)).toEqual([
      'approve',
      'openLoan',
    ])
    expect([await held(borrower.address), await held(stage.market.adapter)]).toEqual([0n, units(1_000)])
    await expectAgreement(stage)
    expect(await compliance()).toMatchObject({
      mode: 'CUSTODY',
      restricted: false,
      collateralReturnable: true,
      willEscrowOnRelease: false,
    })
  })

  it('is foretold as soon as the rules of the token turn against the borrower', async () => {
    await rules.forbid()
    expect(await compliance()).toMatchObject({
      restricted: true,
      code: 'COMPLIANCE_REFUSED',
      collateralReturnable: false,
      willEscrowOnRelease: true,
      holderVerified: true,
      escrowedCollateral: '0',
    })
  })

  it('escrows the collateral at the repayment, which nothing stops', async () => {
    await stage.travel(86_400)
    await stage.giveCash(borrower, 1_000)
    const { at, built, data } = await stage.act(
      world.lender,
      stage.position('repay'),
      { loanId: 1, all: true },
      { by: borrower },
    )
    expect(built.collateralRelease).toMatchObject({
      willEscrow: true,
      amount: '1000',
      reason: 'Error',
      message: expect.stringContaining('Transfer not possible'),
      claimAction: 'claim-escrowed-collateral',
    })
    const owed = stage.shadow.loan(1, at)
    expect(data).toMatchObject({
      principalPaid: owed.principal,
      interestPaid: owed.accruedInterest,
      loanClosed: true,
      collateralReturned: '1000',
      collateralReturnEscrowed: true,
      claimAction: 'claim-escrowed-collateral',
    })
    stage.shadow.take('repay', 'borrower', { loanId: 1n, amount: units(41_000, 6) }, at)
    await expectAgreement(stage)
    expect([await held(borrower.address), await escrowed()]).toEqual([0n, '1000'])
    expect((await compliance()).escrowedCollateral).toBe('1000')
  })

  it('says in the simulation of the claim why it would fail, and it fails', async () => {
    const { simulation, transaction, escrowedCollateral } = await claim()
    expect(escrowedCollateral).toBe('1000')
    expect(simulation).toMatchObject({ simulated: true, success: false })
    expect(simulation.revert.message).toContain('Transfer not possible')
    await expect(world.sendRaw(borrower, transaction)).rejects.toThrow()
    expect(await escrowed()).toBe('1000')
  })

  it('pays it out once the rules allow it, to its holder alone', async () => {
    await rules.allow()
    const built = await claim()
    expect(built.simulation).toMatchObject({ simulated: true, success: true, revert: null })
    await world.sendRaw(borrower, built.transaction)
    expect([await held(borrower.address), await held(stage.market.adapter)]).toEqual([units(1_000), 0n])
    expect(await escrowed()).toBe('0')
    const again = await world.lender.post(stage.position('claim-escrowed-collateral'), {
      holderAddress: borrower.address,
    })
    expect(again.body.error.code).toBe('NO_ESCROWED_COLLATERAL')
  })
})
