import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInWithKey } from '../../test/browser.ts'
import { type CutWorld, createCutWorld } from '../../test/lending/cut-world.ts'
import { must, type Party, V2 } from '../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../test/lending/market-life.ts'
import { createPositionsLife } from '../../test/lending/positions-life.ts'

const INBOX = '/access/api/inbox'
const LOANS = `${V2}/loans`
/** A contract that answers nothing. */
const REVERTS = '0x5f5ffd'

interface Row {
  kind: string
  urgency: string
  id: string
  marketId: string | null
}

describe('open loans of all markets, and the inbox', () => {
  let world: CutWorld
  let life: MarketLife
  let frozen: LiveMarket
  let custody: LiveMarket
  const [anna, bert] = [wallet(4), wallet(5)]

  /** Three loans on two markets: at a price of 60 the first can be seized, the second is close. */
  beforeAll(async () => {
    world = await createCutWorld()
    life = createMarketLife(world)
    frozen = await life.adopted()
    custody = await life.adopted({ mode: 'CUSTODY' })
    for (const market of [frozen, custody]) {
      await life.admit(market, [anna.address, bert.address])
      await life.fund(market, 100_000)
    }
    await life.openLoan(frozen, anna, { collateral: 100, amount: 6000 })
    await life.openLoan(frozen, bert, { collateral: 100, amount: 1000 })
    await life.openLoan(custody, bert, { collateral: 100, amount: 5000, mode: 'CUSTODY' })
    await createPositionsLife(world, life).price(frozen, 60n)
    await createPositionsLife(world, life).price(custody, 62n)
    await world.follow()
  })
  afterAll(() => world.close())

  const read = async (path: string, by: Pick<Party, 'get'> = world.deployer) => must(await by.get(path)).body
  const names = (rows: readonly { marketId: string; loanId: string }[]) =>
    rows.map(({ marketId, loanId }) => `${marketId === frozen.marketId ? 'frozen' : 'custody'} ${loanId}`)

  it('show loans by health, from one block, in one round trip whatever their number', async () => {
    world.counted.reset()
    const { data, metadata } = await read(LOANS)
    expect(world.counted.counts.roundTrips).toBe(1)
    expect(names(data.loans)).toEqual(['frozen 1', 'custody 1', 'frozen 2'])
    expect(data).toMatchObject({ total: 3, isComplete: true, hasMore: false, limit: 50, nextCursor: null })
    expect(metadata.blockNumber).toMatch(/^\d+$/)
    const [first] = data.loans
    expect(first).toMatchObject({
      borrower: anna.address.toLowerCase(),
      collateralAmount: '100',
      price: '60',
      dueAt: null,
      isOverdue: false,
      inAuction: false,
      collateralIntact: true,
    })
    // The same figures as in the list of the one market.
    const v1 = '/lending-external-securities/api'
    const { positions } = (await read(`${v1}/positions/${frozen.marketId}/positions`)).data
    const same = positions.find(({ onChainLoanId }: { onChainLoanId: string }) => onChainLoanId === '1')
    expect(Number(first.healthFactor)).toBeCloseTo(Number(same.healthFactor), 6)
    expect(Number(first.healthFactor)).toBeLessThan(1)
  })

  it('page by a cursor in both orders, without loss or doubling', async () => {
    for (const sort of ['health', 'dueAt']) {
      const seen: { marketId: string; loanId: string }[] = []
      let cursor = ''
      do {
        const { data } = await read(`${LOANS}?sort=${sort}&limit=1${cursor}`)
        seen.push(...data.loans)
        cursor = data.nextCursor === null ? '' : `&cursor=${data.nextCursor}`
      } while (cursor !== '')
      expect(names(seen).toSorted()).toEqual(['custody 1', 'frozen 1', 'frozen 2'])
    }
  })

  it('are refused with a cursor or an order that is none, and show nothing of others', async () => {
    for (const path of [`${LOANS}?cursor=x`, `${LOANS}?sort=size`, `${INBOX}?cursor=x`]) {
      const answer = await world.deployer.get(path)
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, 'VALIDATION_ERROR'])
    }
    expect((await read(LOANS, world.outsider)).data).toMatchObject({ loans: [], total: 0 })
    expect((await read(`/lending-stocks/api/loans`)).data.loans).toEqual([])
    expect((await read(INBOX, world.outsider)).data).toMatchObject({ needs: [], counts: { total: 0 } })
  })

  it('tell what needs somebody: loans at risk, and transactions that wait to be signed', async () => {
    const browser = await signInWithKey(world, world.deployer)
    const built = must(await browser.call('POST', `${V2}/markets/${frozen.marketId}/pause`, { body: {} })).headers[
      'x-transaction-id'
    ]
    const { data } = await read(INBOX)
    expect(data.needs.map(({ kind, urgency, id }: Row) => [kind, urgency, id])).toEqual([
      ['LOAN_NEAR_LIQUIDATION', 'NOW', '1'],
      ['LOAN_NEAR_LIQUIDATION', 'SOON', '1'],
      ['TRANSACTION_TO_SIGN', 'SOON', built],
    ])
    expect(data.needs[0]).toMatchObject({ marketId: frozen.marketId, walletAddress: anna.address.toLowerCase() })
    expect(data.counts).toMatchObject({ total: 3, now: 1, soon: 2, byKind: { LOAN_NEAR_LIQUIDATION: 2 } })
    expect(data).toMatchObject({ unread: [], isComplete: true, hasMore: false, nextCursor: null })

    const first = (await read(`${INBOX}?limit=2`)).data
    expect([first.needs.length, first.hasMore, first.counts.total]).toEqual([2, true, 3])
    const rest = (await read(`${INBOX}?limit=2&cursor=${first.nextCursor}`)).data
    expect([...first.needs, ...rest.needs]).toEqual(data.needs)

    const key = await world.createKey(world.deployer, ['access:read'])
    const narrow = must(await world.call('GET', INBOX, { key })).body.data
    expect(narrow.needs.map(({ kind }: Row) => kind)).toEqual(['TRANSACTION_TO_SIGN'])
  })

  it('show what can be read when a market is dead, and name the one that cannot', async () => {
    const cases = [
      { dies: frozen.oracle, reason: 'PRICE_UNREADABLE' },
      { dies: frozen.marketAddress, reason: 'MARKET_UNREADABLE' },
    ]
    for (const { dies, reason } of cases) {
      const code = (await world.node.publicClient.getCode({ address: dies })) ?? '0x'
      await world.node.testClient.setCode({ address: dies, bytecode: REVERTS })
      try {
        const { data } = await read(LOANS)
        expect(names(data.loans)).toEqual(['custody 1'])
        expect(data).toMatchObject({ total: 1, isComplete: false })
        expect(data.unreadMarkets).toEqual([
          { marketId: frozen.marketId, collateralSymbol: 'NORD', borrowSymbol: 'USDX', reason },
        ])
        const inbox = (await read(INBOX)).data
        expect(inbox.needs.map(({ kind, urgency, marketId }: Row) => [kind, urgency, marketId])).toEqual([
          ['MARKET_UNREADABLE', 'NOW', frozen.marketId],
          ['LOAN_NEAR_LIQUIDATION', 'SOON', custody.marketId],
          ['TRANSACTION_TO_SIGN', 'SOON', null],
        ])
        expect([inbox.unread, inbox.isComplete]).toEqual([[], false])
      } finally {
        await world.node.testClient.setCode({ address: dies, bytecode: code })
      }
    }
    expect((await read(LOANS)).data).toMatchObject({ total: 3, isComplete: true, unreadMarkets: [] })
  })

  it('tell of prices that grow old, by the clock of the chain', async () => {
    await life.travel(100 * 86_400)
    const { needs } = (await read(INBOX)).data
    const stale = needs.filter(({ kind }: Row) => kind === 'PRICE_STALE')
    expect(stale.map(({ urgency, id }: Row) => [urgency, id]).toSorted()).toEqual(
      [frozen, custody].map(({ marketId }) => ['NOW', marketId]).toSorted(),
    )
  })

  it('are refused when the chain is away, and the inbox says what it could not see', async () => {
    await world.cut.cut()
    const answer = await world.deployer.get(LOANS)
    expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
      503,
      'LOAN_STATE_UNAVAILABLE',
      '1',
    ])
    const { needs, unread } = (await read(INBOX)).data
    expect(unread).toEqual(['lending'])
    expect(needs.map(({ kind }: Row) => kind)).toEqual(['TRANSACTION_TO_SIGN'])
  })
})
