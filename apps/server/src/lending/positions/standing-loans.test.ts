import { wallet } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { callKinds, projections } from '../../features.ts'
import { rebuild } from '../../writes/index.ts'
import { abis } from '../contracts.ts'

const DAY = 86_400

describe('loans that are open and pledges that stand', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  const [borrower, other] = [wallet(3), wallet(4)]

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    await life.admit(market, [borrower.address, other.address])
    await life.fund(market, 100_000)
    const terms = [30 * DAY, 2 * DAY, 0, 0]
    await life.call(market.marketAddress, abis.market, 'setTermConfig', terms, world.deployer.wallet)
  })
  afterAll(() => world.close())

  const reorg = (instead: readonly [Hex, number][] = []) =>
    world.node.testClient.request({ method: 'anvil_reorg', params: [1, instead] } as never)
  const open = () => life.openLoan(market, borrower, { collateral: 10, amount: 500 })

  const kept = async () => ({
    loans: [...(await world.superuser`select loan_id, due_at, opened_block from open_loans order by loan_id`)],
    pledges: [...(await world.superuser`select loan_id, holder from standing_pledges order by loan_id`)],
  })

  /** What all events together say, without anything that was derived before. */
  const told = async () => ({
    loans: [
      ...(await world.superuser`
        select loan_id, max(coalesce(effect ->> 'newDueAt', effect ->> 'dueAt')::bigint) as due_at, min(block_number) as opened_block
        from chain_live_facts where operation in ('market.LoanOpened', 'market.ExtensionApplied', 'market.LoanClosed')
        group by 1 having not bool_or(operation = 'market.LoanClosed') order by 1`),
    ],
    pledges: [
      ...(await world.superuser`
        select loan_id, (array_agg(coalesce(effect ->> 'newWallet', effect ->> 'holder') order by block_number desc, block_log_index desc)
            filter (where operation ~ '(Locked|PledgeRebound)$'))[1] as holder
        from chain_live_facts where operation ~ '^freezeAdapter[.](Locked|Increased|Decreased|Released|Enforced|PledgeRebound)$'
        group by 1 having sum(case when operation ~ '(Locked|Increased)$' then (effect ->> 'amount')::numeric
          when operation ~ '(Decreased|Released|Enforced)$' then -(effect ->> 'amount')::numeric else 0 end) > 0 order by 1`),
    ],
  })

  async function expectLoans(...loanIds: readonly number[]): Promise<void> {
    await world.follow()
    const now = await kept()
    expect(now).toEqual(await told())
    expect(now.loans.map(({ loan_id }) => Number(loan_id))).toEqual(loanIds)
    expect(now.pledges.map(({ loan_id }) => Number(loan_id))).toEqual(loanIds)
  }

  it('are there from the opening to the end, and only then', async () => {
    for (let count = 0; count < 3; count += 1) await open()
    await expectLoans(1, 2, 3)
    await life.repay(market, borrower, 2n, 100)
    await expectLoans(1, 2, 3)
    await life.repay(market, borrower, 2n, 1_000)
    await expectLoans(1, 3)
  })

  it('go with a block that is reorganized away, and come back where an end is', async () => {
    await open()
    await expectLoans(1, 3, 4)
    await reorg()
    await expectLoans(1, 3)
    await life.repay(market, borrower, 1n, 1_000)
    await expectLoans(3)
    await reorg()
    await expectLoans(1, 3)
  })

  it('are as they were after everything is derived anew, or an event is deleted', async () => {
    await expectLoans(1, 3)
    const before = await kept()
    await rebuild(world.database, { kinds: callKinds, projections })
    expect(await kept()).toEqual(before)
    await world.database.as('tally_chain', async (sql) => {
      await sql`
        delete from chain_logs where (chain_id, tx_hash, log_index) in (
          select chain_id, tx_hash, log_index from chain_facts where operation = 'market.LoanOpened' and loan_id = 3)`
    })
    expect((await kept()).loans.map(({ loan_id }) => Number(loan_id))).toEqual([1])
  })
})
