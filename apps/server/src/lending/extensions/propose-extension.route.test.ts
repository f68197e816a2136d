import { lendingMarketAbi } from '@tallystick/abi'
import { planLendingSuite } from '@tallystick/deployer'
import { wallet } from '@tallystick/testkit'
import { type Address, decodeFunctionData, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failingReads } from '../../../test/failing-reads.ts'
import { createExtensionsLife, DAY, type ExtensionsLife, publishTerms } from '../../../test/lending/extensions-life.ts'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'

describe('proposing an extension', () => {
  let world: ProxiedWorld
  let life: ExtensionsLife
  let loanId: number
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = await createExtensionsLife(world)
    loanId = Number(await life.lend())
  })
  afterAll(() => world.close())

  it('answers exactly what the issuer signs and where to report it', async () => {
    const newDueAt = await life.inDays(60)
    const { data } = must(await life.propose({ kind: 'LOAN', loanId, newDueAt })).body
    const to = life.market.marketAddress
    expect(data).toEqual({
      action: 'SIGN_TRANSACTION',
      transaction: { to, data: data.data },
      to,
      data: expect.stringMatching(/^0x/),
      value: '0',
      chainId: 31337,
      functionName: 'proposeExtension',
      requiredRole: 'ISSUER_ROLE',
      kind: 'LOAN',
      description: expect.stringContaining(`loan ${loanId} matures at ${newDueAt}`),
      requiredSigner: null,
      heldByThisInstance: true,
      signerAddress: world.deployer.wallet.address.toLowerCase(),
      note: null,
      confirmWith: { endpoint: life.path('/confirm-tx'), field: 'txHash' },
      simulation: { simulated: true, success: true, gasUsed: expect.any(String), revert: null },
    })
    const { args } = decodeFunctionData({ abi: lendingMarketAbi, data: data.data })
    expect(args).toEqual([0, BigInt(loanId), BigInt(newDueAt)])
  })

  it('takes numbers as digits too, and answers on the prefix that was used', async () => {
    const newDueAt = String(await life.inDays(60))
    must(await life.propose({ kind: 'LOAN', loanId: String(loanId), newDueAt }))
    const path = life.path().replace('-v2', '')
    const { data } = must(await world.deployer.post(path, { kind: 'BATCH', newDueAt })).body
    expect(data.confirmWith.endpoint).toBe(`${path}/confirm-tx`)
    expect(must(await life.propose({ kind: 'FLOOR', newDueAt })).body.data.simulation.success).toBe(true)
    const file = await world.deployer.call('POST', `${life.path()}?format=safe`, { body: { kind: 'BATCH', newDueAt } })
    expect(file.body.transactions).toHaveLength(1)
  })

  it('says who must sign when no wallet of the instance holds the role', async () => {
    const { address } = world.deployer.wallet
    const issuerRole = keccak256(toHex('ISSUER_ROLE'))
    await life.on('revokeRole', [issuerRole, address])
    const { data } = must(await life.propose({ kind: 'BATCH', newDueAt: await life.inDays(60) })).body
    expect(data).toMatchObject({ heldByThisInstance: false, signerAddress: null, requiredSigner: null })
    expect(data.note).toContain('NotAuthorized')
    await life.on('grantRole', [issuerRole, address])
  })

  it('builds all the same when nobody can tell who holds the role', async () => {
    world.proxy.changeResult = failingReads('hasRole(bytes32,address)')
    const { data } = must(await life.propose({ kind: 'BATCH', newDueAt: await life.inDays(60) })).body
    world.proxy.changeResult = undefined
    expect(data).toMatchObject({ heldByThisInstance: null, signerAddress: null, requiredSigner: null })
    expect(data.note).toContain('could not be read')
  })

  it.each([
    [{}],
    [{ kind: 'LOAN' }],
    [{ kind: 'EVERYTHING', newDueAt: 1 }],
    [{ kind: 'BATCH', newDueAt: '2030-01-01' }],
    [{ kind: 'BATCH', newDueAt: -1 }],
    [{ kind: 'BATCH', newDueAt: 1.5 }],
    [{ kind: 'LOAN', loanId: 0, newDueAt: 4e9 }],
    [{ kind: 'LOAN', loanId: '00', newDueAt: 4e9 }],
    [{ kind: 'LOAN', loanId: 'one', newDueAt: 4e9 }],
    [{ kind: 'BATCH', newDueAt: 4e9, txHash: `0x${'1'.repeat(64)}` }],
  ])('refuses %j as a form', async (body) => {
    expectRefusal(await life.propose(body), 400, 'VALIDATION_ERROR')
  })

  it('refuses a loan that is missing or too many, and a date that moves nothing later', async () => {
    const soon = await life.inDays(60)
    const now = await life.chainTime()
    for (const body of [
      { kind: 'LOAN', newDueAt: soon },
      { kind: 'BATCH', loanId, newDueAt: soon },
      { kind: 'FLOOR', loanId, newDueAt: soon },
      { kind: 'BATCH', newDueAt: now },
      { kind: 'BATCH', newDueAt: 0 },
      { kind: 'BATCH', newDueAt: String(2n ** 40n) },
      { kind: 'LOAN', loanId, newDueAt: now + 29 * DAY },
    ])
      expectRefusal(await life.propose(body), 400, 'INVALID_EXTENSION')
  })

  it('measures against the effective maturity: the floor counts when it is later', async () => {
    const floor = await life.inDays(90)
    await life.on('proposeExtension', [2, 0n, BigInt(floor)])
    await life.on('confirmExtension', [1n])
    expectRefusal(await life.propose({ kind: 'LOAN', loanId, newDueAt: floor }), 400, 'INVALID_EXTENSION')
    expectRefusal(await life.propose({ kind: 'FLOOR', newDueAt: floor }), 400, 'INVALID_EXTENSION')
    must(await life.propose({ kind: 'LOAN', loanId, newDueAt: floor + 1 }))
    must(await life.propose({ kind: 'FLOOR', newDueAt: floor + 1 }))
  })

  it('knows loans that do not exist and loans that are closed', async () => {
    const newDueAt = await life.inDays(200)
    for (const unknown of [99, '12345678901234567890'])
      expectRefusal(await life.propose({ kind: 'LOAN', loanId: unknown, newDueAt }), 404, 'LOAN_NOT_FOUND')
    const closed = await life.lend()
    await life.repay(life.market, life.borrower, closed, 2000)
    expectRefusal(await life.propose({ kind: 'LOAN', loanId: String(closed), newDueAt }), 400, 'LOAN_NOT_ACTIVE')
  })

  it('refuses while the switch is off, and while the terms of use do not provide for it', async () => {
    const body = { kind: 'BATCH', newDueAt: await life.inDays(200) }
    await life.on('setAllowExtension', [false])
    expectRefusal(await life.propose(body), 409, 'EXTENSION_NOT_ALLOWED')
    await life.on('setAllowExtension', [true])
    await publishTerms(world, life.market.marketAddress, false)
    const refused = expectRefusal(await life.propose(body), 409, 'EXTENSION_NOT_ALLOWED')
    expect(refused.body.error.message).toContain('terms of use')
    await publishTerms(world, life.market.marketAddress, true)
    must(await life.propose(body))
  })

  it('refuses without terms, and for a loan that was opened without', async () => {
    const newDueAt = await life.inDays(200)
    await life.on('setTermConfig', [0n, BigInt(3 * DAY), 0n, 0n])
    expectRefusal(await life.propose({ kind: 'FLOOR', newDueAt }), 409, 'TERMS_NOT_ENABLED')
    const untermed = await life.lend()
    await life.on('setTermConfig', [BigInt(30 * DAY), BigInt(3 * DAY), 0n, 0n])
    const answer = await life.propose({ kind: 'LOAN', loanId: Number(untermed), newDueAt })
    expect(expectRefusal(answer, 409, 'EXTENSION_NOT_ALLOWED').body.error.message).toContain('no maturity')
  })

  it('refuses before there is a lender of record', async () => {
    const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
    const answer = await world.deployer.post(`${V2}/markets/${pending.marketId}/extensions`, {
      kind: 'BATCH',
      newDueAt: await life.inDays(60),
    })
    expectRefusal(answer, 409, 'MARKET_PENDING_CURATOR')
  })

  it('asks to try again when the chain, or the loan alone, cannot be read', async () => {
    const newDueAt = await life.inDays(200)
    const one = () => life.propose({ kind: 'LOAN', loanId, newDueAt })
    expectRefusal(await world.withoutNode(one), 503, 'MARKET_STATE_UNAVAILABLE')
    expectRefusal(await world.withBroken(life.market.marketAddress, one), 503, 'MARKET_STATE_UNAVAILABLE')
    const plan = planLendingSuite({ owner: wallet(0).address, platformWallet: wallet(9).address })
    // The library behind `loan`; the terms of the market are not read through it.
    const views = plan.contracts.ViewModule?.address as Address
    const answer = await world.withBroken(views, one)
    expect(expectRefusal(answer, 503, 'LOAN_STATE_UNAVAILABLE').headers['retry-after']).toBe('1')
    const batch = await world.withBroken(views, () => life.propose({ kind: 'BATCH', newDueAt }))
    expect(batch.status).toBe(200)
  })
})
