import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExtensionsLife, DAY, type ExtensionsLife } from '../../../test/lending/extensions-life.ts'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'
import { abis } from '../contracts.ts'

describe('confirming, applying and cancelling an extension', () => {
  let world: ProxiedWorld
  let life: ExtensionsLife
  let first: string
  let spare: string
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = await createExtensionsLife(world)
    first = String(await life.lend())
    spare = String(await life.lend())
  })
  afterAll(() => world.close())

  it('lets the admin confirm one loan, which moves at once and is then used up', async () => {
    const newDueAt = await life.inDays(60)
    const id = await life.proposed({ kind: 'LOAN', loanId: first, newDueAt })
    const { data } = must(await life.act(id, 'confirm')).body
    expect(data).toMatchObject({
      functionName: 'confirmExtension',
      kind: 'LOAN',
      proposalId: id,
      requiredRole: 'DEFAULT_ADMIN_ROLE',
      heldByThisInstance: true,
      simulation: { success: true },
      confirmWith: { endpoint: life.path('/confirm-tx'), field: 'txHash' },
    })
    const done = await life.done(id, 'confirm')
    expect(done).toMatchObject({ functionName: 'confirmExtension', appliedLoans: [first], noOp: false })
    for (const action of ['confirm', 'cancel']) expectRefusal(await life.act(id, action), 409, 'EXTENSION_CONSUMED')
    expectRefusal(await life.act(id, 'apply', { loanIds: [1] }), 409, 'EXTENSION_CONSUMED')
  })

  it('moves the maturity of a loan and nothing else of it, without its borrower', async () => {
    const loan = () =>
      world.node.publicClient.readContract({
        address: life.market.marketAddress,
        abi: abis.market,
        functionName: 'loan',
        args: [BigInt(first)],
      })
    const signed = () => world.node.publicClient.getTransactionCount({ address: life.borrower.address })
    const newDueAt = await life.inDays(65)
    const [before, signedBefore] = [await loan(), await signed()]
    const id = await life.proposed({ kind: 'LOAN', loanId: first, newDueAt })
    expect((await loan()).effectiveDueAt).toBe(before.effectiveDueAt)
    await life.done(id, 'confirm')
    const after = await loan()
    expect(Number(after.effectiveDueAt)).toBe(newDueAt)
    expect(after).toEqual({
      ...before,
      interest: after.interest,
      dueAt: after.dueAt,
      effectiveDueAt: after.effectiveDueAt,
    })
    expect(await signed()).toBe(signedBefore)
  })

  it('takes a batch through confirmation and pages, which anybody may send', async () => {
    const newDueAt = await life.inDays(70)
    const id = await life.proposed({ kind: 'BATCH', newDueAt })
    const page = { loanIds: [first] }
    expectRefusal(await life.act(id, 'apply', page), 409, 'EXTENSION_NOT_CONFIRMED')
    await life.done(id, 'confirm')
    expectRefusal(await life.act(id, 'confirm'), 409, 'EXTENSION_ALREADY_CONFIRMED')
    const outside = expectRefusal(
      await life.act(id, 'apply', { loanIds: [first, 7, '8'] }),
      400,
      'EXTENSION_LOAN_OUT_OF_SCOPE',
    )
    expect(outside.body.error).toMatchObject({ maxLoanId: spare, outOfScope: ['7', '8'] })
    const { data } = must(await life.act(id, 'apply', page)).body
    expect(data).toMatchObject({
      functionName: 'applyExtension',
      requiredRole: null,
      heldByThisInstance: true,
      note: null,
      simulation: { success: true },
    })
    expect(await life.done(id, 'apply', page)).toMatchObject({ appliedLoans: [first], noOp: false })
  })

  it('lets issuer or admin cancel, also when it is too late to confirm', async () => {
    const id = await life.proposed({ kind: 'BATCH', newDueAt: await life.inDays(80) })
    await life.travel(7 * DAY + 1)
    expectRefusal(await life.act(id, 'confirm'), 409, 'EXTENSION_EXPIRED')
    expect(must(await life.act(id, 'cancel')).body.data).toMatchObject({
      functionName: 'cancelExtension',
      requiredRole: 'ISSUER_OR_ADMIN',
      heldByThisInstance: true,
    })
    const done = await life.done(id, 'cancel')
    expect(done).toMatchObject({
      functionName: 'cancelExtension',
      activity: [{ event: 'ExtensionCancelled', proposalId: id }],
    })
  })

  it('refuses what moves nothing later any more', async () => {
    const low = await life.inDays(100)
    const floorLow = await life.proposed({ kind: 'FLOOR', newDueAt: low })
    const one = await life.proposed({ kind: 'LOAN', loanId: first, newDueAt: low })
    const floorHigh = await life.proposed({ kind: 'FLOOR', newDueAt: low + 1 })
    expectRefusal(await life.act(floorHigh, 'apply', { loanIds: [1] }), 409, 'EXTENSION_NOT_BATCH')
    expect((await life.done(floorHigh, 'confirm')).activity).toEqual([
      { event: 'ExtensionConfirmed', proposalId: floorHigh },
      { event: 'ExtensionFloorRaised', proposalId: floorHigh, newDueAt: low + 1 },
    ])
    for (const id of [floorLow, one]) expectRefusal(await life.act(id, 'confirm'), 409, 'INVALID_EXTENSION')
    const brief = await life.proposed({ kind: 'BATCH', newDueAt: (await life.chainTime()) + 600 })
    await life.travel(601)
    expectRefusal(await life.act(brief, 'confirm'), 409, 'INVALID_EXTENSION')
  })

  it('refuses to confirm for a loan that was closed since', async () => {
    const id = await life.proposed({ kind: 'LOAN', loanId: spare, newDueAt: await life.inDays(300) })
    await life.repay(life.market, life.borrower, BigInt(spare), 3000)
    expectRefusal(await life.act(id, 'confirm'), 409, 'LOAN_NOT_ACTIVE')
  })

  it('finds the loan of a proposal that nobody reported and the follower has not seen', async () => {
    await life.on('proposeExtension', [0, BigInt(first), BigInt(await life.inDays(400))])
    const { proposals } = await life.list('?limit=1')
    const { proposalId, recorded } = proposals[0]
    expect(recorded).toBe(false)
    expect(must(await life.act(proposalId, 'confirm')).body.data.simulation.success).toBe(true)
  })

  it('refuses confirmation and application while the switch is off, not cancellation', async () => {
    const { proposals } = await life.list('?limit=1')
    const { proposalId } = proposals[0]
    await life.on('setAllowExtension', [false])
    expectRefusal(await life.act(proposalId, 'confirm'), 409, 'EXTENSION_NOT_ALLOWED')
    must(await life.act(proposalId, 'cancel'))
    await life.on('setAllowExtension', [true])
  })

  it('refuses another form, a proposal that does not exist, and a market without a lender', async () => {
    expectRefusal(await life.act('first', 'confirm'), 400, 'VALIDATION_ERROR')
    expectRefusal(await life.act(1, 'reject'), 400, 'VALIDATION_ERROR')
    expectRefusal(await life.act(1, 'apply'), 400, 'VALIDATION_ERROR')
    expectRefusal(await life.act(1, 'cancel', { loanIds: [1] }), 400, 'VALIDATION_ERROR')
    const many = Array.from({ length: 201 }, (_, index) => index + 1)
    expectRefusal(await life.act(1, 'apply', { loanIds: many }), 400, 'VALIDATION_ERROR')
    expectRefusal(await life.act(99, 'confirm'), 404, 'EXTENSION_NOT_FOUND')
    expectRefusal(await life.act('99999999999999999999', 'confirm'), 404, 'EXTENSION_NOT_FOUND')
    const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
    const answer = await world.deployer.post(`${V2}/markets/${pending.marketId}/extensions/1/confirm`, {})
    expectRefusal(answer, 409, 'MARKET_PENDING_CURATOR')
  })

  it('takes no body for an act that needs none', async () => {
    const { proposals } = await life.list('?limit=1')
    must(await world.deployer.call('POST', life.path(`/${proposals[0].proposalId}/cancel`)))
  })

  it('asks to try again when the chain cannot be read', async () => {
    const act = () => life.act(1, 'cancel')
    expectRefusal(await world.withoutNode(act), 503, 'MARKET_STATE_UNAVAILABLE')
    expectRefusal(await world.withBroken(life.market.marketAddress, act), 503, 'MARKET_STATE_UNAVAILABLE')
  })
})
