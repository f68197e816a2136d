import { demoCashAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFiguresLife } from '../../../test/lending/figures-life.ts'
import { createLendingWorld, type LendingWorld, must, units, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { abis } from '../contracts.ts'

interface Row {
  id: string
  txType: string
  amount: string
  positionId: string | null
  userAddress: string
  txHash: string
  timestamp: string
  recordedByThisInstance: boolean
}

describe('the transactions of a market', () => {
  let world: LendingWorld
  let life: MarketLife
  let figures: ReturnType<typeof createFiguresLife>
  let market: LiveMarket
  const borrower = wallet(4)
  const who = borrower.address.toLowerCase()
  const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' }

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    figures = createFiguresLife(world, life)
    market = await life.adopted()
    await life.admit(market, [borrower.address, wallet(6).address, world.deployer.wallet.address])
  })
  afterAll(() => world.close())

  const list = async (query = '', of = market) => (await figures.get(of, `transactions${query}`)).data
  const price = (whole: bigint, of = market) => life.call(of.oracle, abis.oracle, 'updatePrice', [whole * 1_000_000n])
  const cashTo = async (holder: Address, spender: Address, whole: number) => {
    const account = [0, 4, 6].map((index) => wallet(index)).find(({ address }) => address === holder)
    await life.call(world.cash, demoCashAbi, 'mint', [holder, units(whole, 6)])
    await life.call(world.cash, demoCashAbi, 'approve', [spender, units(whole, 6)], account)
  }
  /** What was added since the last look, oldest first: type, amount, loan, and who. */
  let seen = 0
  async function news(of = market): Promise<[string, string, string | null, string][]> {
    await world.follow()
    const { transactions, total } = await list('?limit=200', of)
    const added = (transactions as Row[]).slice(0, total - seen).toReversed()
    seen = total
    return added.map(({ txType, amount, positionId, userAddress }) => [txType, amount, positionId, userAddress])
  }
  const own = () => world.deployer.wallet.address.toLowerCase()
  // Gas is estimated a moment before a call is mined: interest must not begin to accrue in between.
  const later = () => life.travel(60)

  it('begin with the adoption', async () => {
    const rows = await news()
    expect(rows.map(([txType]) => txType)).toEqual(expect.arrayContaining(['ORACLE_SYNC', 'CURATOR_ACCEPTED']))
    expect(rows.find(([txType]) => txType === 'CURATOR_ACCEPTED')).toEqual(['CURATOR_ACCEPTED', '0', null, own()])
    expect(rows.find(([txType]) => txType === 'ORACLE_SYNC')?.[1]).toBe('100')
    expect(rows.filter(([txType]) => txType === 'CONTROLLER_TRANSFER_COMPLETE').map((row) => row[3])).toEqual([
      own(),
      own(),
      own(),
    ])
  })

  it('tell the life of a loan in the tokens that moved, with the borrower where the event names only the loan', async () => {
    await life.fund(market, 50_000)
    const loanId = await life.openLoan(market, borrower, { collateral: 100, amount: 5000 })
    await later()
    await figures.on(market, 'borrowMore', [loanId, units(500, 6), noPrice], borrower)
    await life.call(world.security.token, demoSecurityAbi, 'mint', [borrower.address, units(7)])
    await figures.on(market, 'addCollateral', [loanId, units(7)], borrower)
    await figures.on(market, 'withdrawCollateral', [loanId, units(2), noPrice], borrower)
    await life.travel(30 * 86_400)
    await life.repay(market, wallet(6), loanId, 1000)
    await later()
    await life.repay(market, borrower, loanId, 10_000)
    const loan = loanId.toString()
    const rows = await news()
    expect(rows.slice(0, 7)).toEqual([
      ['SUPPLY', '50000', null, own()],
      ['DEPOSIT', '100', loan, who],
      ['BORROW', '5000', loan, who],
      ['BORROW', '500', loan, who],
      ['COLLATERAL_ADDED', '7', loan, who],
      ['COLLATERAL_WITHDRAWN', '2', loan, who],
      ['REPAY', '1000', loan, wallet(6).address.toLowerCase()],
    ])
    expect(rows.slice(7).map(([txType]) => txType)).toEqual(['REPAY', 'CLOSE'])
    expect(rows[8]).toEqual(['CLOSE', '105', loan, who])
  })

  it('tell a realization through the router, to the surplus', async () => {
    await price(100n)
    await later()
    await life.openLoan(market, borrower, { collateral: 100, amount: 7000 })
    await news()
    await price(70n)
    await later()
    await figures.on(market, 'liquidate', [2n, noPrice])
    const router = (functionName: string, args: readonly unknown[]) =>
      life.call(market.router, abis.router, functionName, args)
    const { collateralAmount } = await world.node.publicClient.readContract({
      address: market.router,
      abi: abis.router,
      functionName: 'liquidation',
      args: [1n],
    })
    await router('withdrawCollateralForSale', [1n, collateralAmount])
    await cashTo(world.deployer.wallet.address, market.router, 10_000)
    await router('reportPartialSale', [1n, units(1), units(1000, 6)])
    await later()
    await router('settleLiquidation', [1n, units(4000, 6)])
    const rows = await news()
    expect(rows.map(([txType]) => txType)).toEqual(
      expect.arrayContaining([
        'ORACLE_SYNC',
        'LIQUIDATION',
        'COLLATERAL_ROUTED',
        'COLLATERAL_WITHDRAWN_FOR_SALE',
        'PARTIAL_SALE',
        'LIQUIDATION_SETTLED',
      ]),
    )
    const row = (type: string) => rows.find(([txType]) => txType === type)
    expect(row('ORACLE_SYNC')).toEqual(['ORACLE_SYNC', '70', null, own()])
    expect(row('LIQUIDATION')).toMatchObject(['LIQUIDATION', expect.stringMatching(/^3500/), '2', who])
    expect(row('COLLATERAL_ROUTED')?.[3]).toBe(market.marketAddress)
    expect(row('PARTIAL_SALE')).toEqual(['PARTIAL_SALE', '1000', null, own()])
    expect(row('LIQUIDATION_SETTLED')?.[1]).toBe('5000')
    await later()
    await life.repay(market, borrower, 2n, 10_000)
    await news()
  })

  it('tell bids on the venue, whichever venue it was', async () => {
    const venue = await figures.venue(market)
    await life.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [venue, venue, 276])
    const config = await world.node.publicClient.readContract({
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'config',
    })
    await figures.on(market, 'setConfig', [{ ...config, useDutchAuction: true }])
    await later()
    await life.openLoan(market, borrower, { collateral: 100, amount: 5000 })
    await price(55n)
    await later()
    await figures.on(market, 'liquidate', [3n, noPrice])
    await cashTo(wallet(6).address, venue, 100_000)
    await later()
    await life.call(venue, abis.venue, 'bidOnAuction', [1n, units(10), units(100_000, 6)], wallet(6))
    const rows = await news()
    expect(rows.filter(([txType]) => txType === 'CONFIGURATION')).toHaveLength(2)
    const bid = rows.find(([txType]) => txType === 'AUCTION_BID')
    expect(bid?.[3]).toBe(wallet(6).address.toLowerCase())
    expect(Number(bid?.[1])).toBeGreaterThan(550)
    expect((await figures.get(market, 'metrics')).data).toMatchObject({
      activeAuctions: '1',
      totalAuctions: '1',
      pendingLiquidations: '1',
    })
  })

  it('tell switches, sweeps and the fund', async () => {
    await figures.on(market, 'pause')
    await figures.on(market, 'unpause')
    await figures.on(market, 'setVaultLiquidity', [true])
    await figures.on(market, 'setVaultLiquidity', [false])
    await figures.on(market, 'setIdentityGates', [world.security.registry, world.security.registry])
    await later()
    await figures.on(market, 'sweepInfrastructureFees')
    await figures.on(market, 'sweepOperatorFees')
    await cashTo(world.deployer.wallet.address, market.fund, 25)
    await life.call(market.fund, abis.fund, 'topUp', [units(25, 6)])
    const rows = await news()
    expect(rows.slice(0, 5)).toEqual([
      ['MARKET_PAUSE_STATE', '1', null, own()],
      ['MARKET_PAUSE_STATE', '0', null, own()],
      ['VAULT_LIQUIDITY_SET', '1', null, own()],
      ['VAULT_LIQUIDITY_SET', '0', null, own()],
      ['IDENTITY_GATES_SET', '0', null, own()],
    ])
    expect(rows.slice(5).map(([txType]) => txType)).toEqual([
      'INFRASTRUCTURE_FEES_SWEPT',
      'OPERATOR_FEES_SWEPT',
      'INSURANCE_TOPUP',
    ])
    expect(rows.at(-1)).toEqual(['INSURANCE_TOPUP', '25', null, own()])
  })

  it('are paged by offset within the window and by cursor without end, each line once', async () => {
    const all: Row[] = (await list('?limit=200')).transactions
    const byCursor: Row[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`?limit=7${cursor && `&cursor=${cursor}`}`)
      byCursor.push(...page.transactions)
      cursor = page.nextCursor
    }
    expect(byCursor).toEqual(all)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const page = await list('?limit=7&offset=7')
    expect(page).toMatchObject({
      transactions: all.slice(7, 14),
      total: all.length,
      hasMore: true,
      limit: 7,
      offset: 7,
    })
    expect(await list(`?offset=${all.length}`)).toMatchObject({ transactions: [], total: all.length, hasMore: false })
    expect(await list('?offset=5000')).toMatchObject({ transactions: [], offset: 5000, nextCursor: null })
    expect((await list()).limit).toBe(50)
    expect((await list('?limit=999&offset=-4')).limit).toBe(200)
    for (const wrong of ['x', 'a'.repeat(500)]) {
      const answer = await world.deployer.get(`${V2}/markets/${market.marketId}/transactions?cursor=${wrong}`)
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('say which of them the caller recorded itself', async () => {
    const path = `${V2}/markets/${market.marketId}/sync-oracle`
    const txHash = await world.sign(world.deployer.wallet, await world.deployer.post(path, { price: '56' }))
    must(await world.deployer.post(path, { price: '56', txHash }))
    const [newest, before] = (await list('?limit=2')).transactions as Row[]
    expect(newest).toMatchObject({ txType: 'ORACLE_SYNC', amount: '56', txHash, recordedByThisInstance: true })
    expect(before?.recordedByThisInstance).toBe(false)
    const { timestamp } = await world.node.publicClient.getBlock()
    expect(newest?.timestamp).toBe(new Date(Number(timestamp) * 1000).toISOString())
  })

  it('tell collateral that the token refused to give back', async () => {
    const custody = await life.adopted({ mode: 'CUSTODY' })
    await life.admit(custody)
    await life.fund(custody, 5000)
    await later()
    await life.openLoan(custody, borrower, { collateral: 10, amount: 500, mode: 'CUSTODY' })
    seen = 0
    await news(custody)
    await life.call(world.security.token, demoSecurityAbi, 'setAddressFrozen', [borrower.address, true])
    await later()
    await life.repay(custody, borrower, 1n, 600)
    const rows = await news(custody)
    expect(rows.map(([txType]) => txType)).toEqual(['REPAY', 'CLOSE', 'COLLATERAL_ESCROWED'])
    expect(rows[2]).toEqual(['COLLATERAL_ESCROWED', '10', null, who])
  })

  it('end at the window by offset, and go on by cursor, when there are very many', async () => {
    await world.superuser`
      insert into chain_logs select chain_id, '0x' || lpad(to_hex(n), 64, '0'), 0, 0, address, topics, data, 1000000 + n, block_hash, block_time + n, tx_from, finality
      from (select l.* from chain_logs l join chain_facts using (chain_id, tx_hash, log_index) where subject = ${market.oracle} and operation = 'oracle.PriceUpdated' limit 1) l, generate_series(1, 20000) n`
    await world.superuser`
      insert into chain_facts select gen_random_uuid(), chain_id, tx_hash, 0, address, 'oracle.PriceUpdated',
        jsonb_build_object('newPrice', block_number::text, 'previousPrice', '1', 'timestamp', block_time::text, 'updater', tx_from)
      from chain_logs where block_number > 1000000`
    await world.superuser`analyze chain_logs, chain_facts`
    const page = await list('?limit=200&offset=1900')
    expect(page).toMatchObject({ total: 2000, hasMore: false, limit: 200 })
    expect(page.transactions).toHaveLength(100)
    const next = await list(`?limit=1&cursor=${page.nextCursor}`)
    expect(next.transactions[0].amount).toBe('1.018')
  })
})
