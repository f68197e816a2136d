import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, expectSettingFaults } from '../../../test/lending/setting-faults.ts'

const DAY = 86_400

describe('setting the term configuration', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted()
  })
  afterAll(() => world.close())

  const post = (body: unknown, one = market) => world.deployer.post(`${V2}/markets/${one.marketId}/term-config`, body)
  const chainTime = async () => Number((await world.node.publicClient.getBlock()).timestamp)
  const apply = async (body: unknown) => {
    const txHash = await world.sign(world.deployer.wallet, await post(body))
    return must(await post({ txHash })).body.data
  }

  it('replaces everything, and keeps only a grace period that is left out', async () => {
    const terminalDueDate = (await chainTime()) + 400 * DAY
    const built = must(await post({ maxLoanDurationDays: 30, terminalDueDate, termPenaltyBps: 200 }))
    expect(built.body.data).toMatchObject({
      functionName: 'setTermConfig',
      requiredRole: 'ISSUER_ROLE',
      requiredSigner: null,
      heldByThisInstance: true,
      signerAddress: world.deployer.wallet.address.toLowerCase(),
      termStamping: 'PER_LOAN',
      stampedOnNewLoansOnly: ['maxLoanDuration', 'terminalDueDate', 'termGracePeriod', 'termPenalty'],
      appliesToOpenLoans: ['marketDueFloor'],
      warnings: [],
      simulation: { success: true },
    })
    const first = await apply({ maxLoanDurationDays: 30, terminalDueDate, termGracePeriodDays: 5, termPenaltyBps: 200 })
    expect(first).toMatchObject({
      functionName: 'setTermConfig',
      offering: {
        maxLoanDuration: String(30 * DAY),
        termGracePeriod: String(5 * DAY),
        terminalDueDate: String(terminalDueDate),
        termPenalty: '200',
      },
    })
    const second = await apply({ maxLoanDurationDays: 60 })
    expect(second.offering).toMatchObject({
      maxLoanDuration: String(60 * DAY),
      termGracePeriod: String(5 * DAY),
      terminalDueDate: null,
      termPenalty: '0',
    })
  })

  it('refuses what the market would refuse, in words', async () => {
    const past = expectRefusal(await post({ maxLoanDurationDays: 1, terminalDueDate: 1 }), 400, 'INVALID_TERM_OFFERING')
    expect(past.body.error.message).toContain('not in the future of the chain')
    for (const body of [
      { maxLoanDurationDays: 1, terminalDueDate: 2 ** 40 },
      { maxLoanDurationDays: 1, termPenaltyBps: 501 },
      { maxLoanDurationDays: 0, termPenaltyBps: 1 },
    ])
      expectRefusal(await post(body), 400, 'INVALID_TERM_OFFERING')
    expectRefusal(await post({ maxLoanDurationDays: 3651 }), 400, 'VALIDATION_ERROR')
  })

  it('does not let terms go while rates are stamped', async () => {
    const fixed = await life.adopted({
      borrowAssetAddress: await world.createCash('FIX'),
      maxLoanDurationDays: 30,
      rateMode: 'FIXED',
      fixedRateBps: 500,
    })
    expectRefusal(await post({ maxLoanDurationDays: 0 }, fixed), 409, 'TERMS_REQUIRED_BY_FIXED_RATE')
    must(await post({ maxLoanDurationDays: 0 }))
  })

  it('refuses what every setting refuses', () =>
    expectSettingFaults(world, { market, path: 'term-config', body: { maxLoanDurationDays: 10 } }))
})
