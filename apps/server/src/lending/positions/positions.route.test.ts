import { demoSecurityAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { units } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createPositionsLife, lower, noPrice } from '../../../test/lending/positions-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { eventId } from '../../platform/ids.ts'

interface Line {
  txType: string
  amount: string
  userAddress: string
  recordedByThisInstance: boolean
  txHash: string
  positionId: string
}

describe('positions', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let loans: ReturnType<typeof createPositionsLife>
  let market: LiveMarket
  const borrower = wallet(4)
  const other = wallet(5)
  const payee = wallet(7)
  const found = wallet(8)
  const later = () => life.travel(60)

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    loans = createPositionsLife(world, life)
    market = await life.adopted()
    await life.admit(market, [borrower.address, other.address, world.deployer.wallet.address])
    await life.fund(market, 200_000)
  })
  afterAll(() => world.close())

  const list = (query = '') => loans.read(market, `positions${query}`)
  const idOf = async (loanId: string): Promise<string> => {
    const { positions } = await list('?limit=200')
    return positions.find(({ onChainLoanId }: { onChainLoanId: string }) => onChainLoanId === loanId).id
  }

  it('are none at first', async () => {
    expect(await list()).toEqual({ positions: [], hasMore: false, limit: 50, offset: 0, nextCursor: null })
    expect(await loans.read(market, `user-loans/${borrower.address}`)).toEqual({
      userAddress: lower(borrower),
      loans: [],
      payeeLoans: [],
      limit: 50,
      nextCursor: null,
    })
    expect(await loans.read(market, `user-collateral/${borrower.address}`)).toEqual({
      userAddress: lower(borrower),
      collateral: '0',
    })
  })

  it('tell the life of a loan: history from its events, figures from the chain', async () => {
    const loanId = await life.openLoan(market, borrower, { collateral: 100, amount: 5000 })
    await later()
    await loans.on(market, 'borrowMore', [loanId, units(500, 6), noPrice], borrower)
    await life.call(world.security.token, demoSecurityAbi, 'mint', [borrower.address, units(7)])
    await loans.on(market, 'addCollateral', [loanId, units(7)], borrower)
    await loans.on(market, 'withdrawCollateral', [loanId, units(2), noPrice], borrower)
    await life.travel(30 * 86_400)
    await life.repay(market, loans.payer, loanId, 1000)
    await world.follow()
    const [row] = (await list()).positions
    const { interestAccrued, borrowedAmount, healthFactor } = row
    const exposure = `/customers/api/identity/exposure?walletAddress=${borrower.address}`
    expect((await world.deployer.call('GET', exposure)).body.data.loans).toEqual([
      expect.objectContaining({ marketId: market.marketId, loanId: '1', borrower: lower(borrower), collateral: '105' }),
    ])
    expect((await (await world.createInstance()).call('GET', exposure)).body.data.loans).toEqual([])
    const { results } = (await world.deployer.call('GET', '/access/api/search?q=loan%201')).body.data
    expect(results).toContainEqual(expect.objectContaining({ kind: 'loan', id: '1', marketId: market.marketId }))
    expect(row).toMatchObject({
      marketId: market.marketId,
      onChainLoanId: '1',
      userAddress: lower(borrower),
      payeeAddress: null,
      collateralAmount: '105',
      priceAtBorrow: '100',
      dueAt: null,
      term: null,
      fixedRateBps: null,
      totalBorrowed: '5500',
      totalRepaid: '1000',
      status: 'ACTIVE',
      liquidated: false,
      liquidatedAt: null,
      closedAt: null,
      inAuction: false,
      collateralIntact: true,
    })
    expect(Number(borrowedAmount)).toBeGreaterThan(4500)
    expect(Number(interestAccrued)).toBeLessThan(1)
    const health = (105 * 100 * 0.85) / (Number(borrowedAmount) + Number(interestAccrued))
    expect(Number(healthFactor)).toBeCloseTo(health, 6)
    expect(row.transactions.map(({ txType, amount }: Line) => [txType, amount])).toEqual([
      ['REPAY', '1000'],
      ['COLLATERAL_WITHDRAWN', '2'],
      ['COLLATERAL_ADDED', '7'],
      ['BORROW', '500'],
      ['BORROW', '5000'],
    ])

    const position = await loans.read(market, `positions/${row.id}`)
    const { transactions, id: _id, interestAccrued: _interest, ...common } = row
    expect(position).toMatchObject({
      ...common,
      positionId: row.id,
      accumulatedInterest: interestAccrued,
      currentPrice: '100',
      collateralValue: '10500',
      collateralValueAtBorrow: '10000',
      surplus: { returned: '0', escrowed: '0', claimable: '0' },
      realizationLoss: null,
    })
    expect(position.transactions).toHaveLength(6)
    expect(position.transactions.slice(0, 5)).toEqual(transactions)
    expect(position.transactions[0]).toMatchObject({ userAddress: lower(loans.payer), positionId: row.id })
    expect(position.transactions[5]).toMatchObject({ txType: 'DEPOSIT', amount: '100', userAddress: lower(borrower) })
  })

  it('have the id of the event that opened them', async () => {
    const [row] = (await list()).positions
    const [fact] = await world.superuser`
      select tx_hash, log_index from chain_facts where operation = 'market.LoanOpened' and subject = ${market.marketAddress}`
    expect(row.id).toBe(eventId(world.node.chainId, fact?.tx_hash, fact?.log_index, 'market.LoanOpened'))
  })

  it('say which lines the caller recorded itself', async () => {
    const id = await idOf('1')
    await world.superuser`
      insert into recordings select ${world.deployer.instanceId}, operation, chain_id, tx_hash, log_index, 'call', now() from chain_facts
      where operation = 'market.LoanOpened' and subject = ${market.marketAddress}`
    const { transactions } = await loans.read(market, `positions/${id}`)
    expect(transactions.map(({ recordedByThisInstance }: Line) => recordedByThisInstance)).toEqual([
      ...Array<boolean>(4).fill(false),
      true,
      true,
    ])
  })

  it('show a loan as the chain has it, with what the token says about its holder', async () => {
    const loan = await loans.read(market, 'loan/1')
    expect(loan).toMatchObject({
      loanId: '1',
      borrower: lower(borrower),
      payee: null,
      collateralAmount: '105',
      active: true,
      inAuction: false,
      debtFree: false,
      fixedRateBps: null,
      dueAt: null,
      term: null,
      collateralIntact: true,
      compliance: {
        mode: 'FREEZE',
        holder: lower(borrower),
        restricted: false,
        code: null,
        reason: null,
        collateralReturnable: true,
        willEscrowOnRelease: false,
        escrowedCollateral: '0',
        escrowedCollateralRaw: '0',
        holderVerified: true,
        holderAddressFrozen: false,
        tokenPaused: false,
      },
    })
    const { timestamp } = await world.node.publicClient.getBlock()
    expect(loan.compliance.checkedAt).toBe(new Date(Number(timestamp) * 1000).toISOString())
    expect((await loans.read(market, 'loan/0001')).loanId).toBe('1')
    expect(await loans.read(market, `user-collateral/${borrower.address}`)).toMatchObject({ collateral: '105' })
  })

  it('tell who repaid and who is paid out, and stamps of rate and maturity', async () => {
    await loans.price(market, 100n)
    const second = await life.openLoan(market, other, { collateral: 50, amount: 1000 })
    await later()
    await life.repay(market, other, second, 5000)
    await loans.on(market, 'setTermConfig', [90n * 86_400n, 3n * 86_400n, 0n, 100n])
    await life.call(world.security.token, demoSecurityAbi, 'mint', [other.address, units(20)])
    await loans.on(market, 'openLoan', [units(20), units(1000, 6), payee.address, noPrice], other)
    await loans.on(market, 'setTermConfig', [0n, 3n * 86_400n, 0n, 0n])
    await world.follow()
    const { positions } = await list()
    expect(positions.map(({ onChainLoanId, status }: Record<string, string>) => [onChainLoanId, status])).toEqual([
      ['3', 'ACTIVE'],
      ['2', 'REPAID'],
      ['1', 'ACTIVE'],
    ])
    const [withPayee, repaid] = positions
    expect(repaid).toMatchObject({
      collateralAmount: '0',
      borrowedAmount: '0',
      interestAccrued: '0',
      healthFactor: null,
    })
    expect(repaid.closedAt).toBe(repaid.lastUpdated)
    expect(withPayee).toMatchObject({ payeeAddress: lower(payee), userAddress: lower(other) })
    const { term, dueAt } = withPayee
    expect(term).toEqual({
      dueAt,
      effectiveDueAt: dueAt,
      graceEnd: dueAt + 3 * 86_400,
      enforceable: false,
      termGracePeriod: 3 * 86_400,
      termPenaltyBps: 100,
    })
    expect(dueAt).toBe(Date.parse(withPayee.openedAt) / 1000 + 90 * 86_400)
    const of = async (address: string) => loans.read(market, `user-loans/${address}`)
    const mine = await of(other.address)
    expect(mine.loans.map(({ loanId, active }: Record<string, unknown>) => [loanId, active])).toEqual([
      ['3', true],
      ['2', false],
    ])
    expect(mine.loans[0]).toEqual({ ...mine.loans[0], payee: lower(payee), term, dueAt, collateralIntact: true })
    expect(mine.loans[0].compliance).toBeUndefined()
    expect((await of(payee.address)).loans).toEqual([])
    expect((await of(payee.address)).payeeLoans).toEqual([mine.loans[0]])
  })

  it('are told by status, and paged by offset and by cursor', async () => {
    const numbers = (data: { positions: { onChainLoanId: string }[] }) =>
      data.positions.map(({ onChainLoanId }) => onChainLoanId)
    expect(numbers(await list('?status=ACTIVE'))).toEqual(['3', '1'])
    expect(numbers(await list('?status=REPAID'))).toEqual(['2'])
    expect(numbers(await list('?status=LIQUIDATED'))).toEqual([])
    const first = await list('?limit=1')
    expect([numbers(first), first.hasMore, first.limit]).toEqual([['3'], true, 1])
    const next = await list(`?limit=1&cursor=${first.nextCursor}`)
    expect(numbers(next)).toEqual(['2'])
    expect(numbers(await list(`?status=ACTIVE&cursor=${first.nextCursor}`))).toEqual(['1'])
    const last = await list('?limit=2&offset=1')
    expect([numbers(last), last.hasMore, last.nextCursor, last.offset]).toEqual([['2', '1'], false, null, 1])
    expect((await list('?limit=9999')).limit).toBe(200)
    expect(await list('?offset=99999')).toMatchObject({ positions: [], offset: 99_999, nextCursor: null })
    const mine = await loans.read(market, `user-loans/${other.address}?limit=1`)
    expect(mine.loans).toHaveLength(1)
    const rest = await loans.read(market, `user-loans/${other.address}?limit=1&cursor=${mine.nextCursor}`)
    expect([rest.loans.map(({ loanId }: { loanId: string }) => loanId), rest.nextCursor]).toEqual([['2'], null])
  })

  it('follow a loan to the wallet that a lost one was recovered to', async () => {
    await loans.recover(market, 3n, other, found)
    const behind = await loans.read(market, 'loan/3')
    expect(behind.compliance.holder).toBe(lower(found))
    await world.follow()
    expect((await list('?limit=1')).positions[0]).toMatchObject({ userAddress: lower(found), onChainLoanId: '3' })
    const numbers = async (address: string) =>
      (await loans.read(market, `user-loans/${address}`)).loans.map(({ loanId }: { loanId: string }) => loanId)
    expect([await numbers(other.address), await numbers(found.address)]).toEqual([['2'], ['3']])
    expect((await loans.read(market, 'loan/3')).compliance).toMatchObject({ holder: lower(found), restricted: false })
    await later()
    await life.repay(market, loans.payer, 3n, 5000)
    await world.follow()
    const { transactions, status } = await loans.read(market, `positions/${await idOf('3')}`)
    expect(status).toBe('REPAID')
    expect(transactions.map(({ txType, userAddress }: Line) => [txType, userAddress])).toEqual([
      ['CLOSE', lower(found)],
      ['REPAY', lower(loans.payer)],
      ['BORROW', lower(other)],
      ['DEPOSIT', lower(other)],
    ])
  })

  it('say when a loan was seized first, and stay open while it is', async () => {
    await later()
    await life.openLoan(market, borrower, { collateral: 100, amount: 7000 })
    await loans.price(market, 55n)
    await later()
    await loans.on(market, 'liquidate', [4n, noPrice])
    await world.follow()
    const id = await idOf('4')
    const position = await loans.read(market, `positions/${id}`)
    expect(position).toMatchObject({
      status: 'ACTIVE',
      liquidated: true,
      priceAtBorrow: '100',
      currentPrice: '55',
      realizationLoss: { records: 1, pending: 1, complete: false, settlementShortfall: '0', poolLoss: '0' },
    })
    expect(position.liquidatedAt).toBe(position.lastUpdated)
    expect(position.transactions.map(({ txType }: Line) => txType)).toEqual([
      'COLLATERAL_ROUTED',
      'LIQUIDATION',
      'BORROW',
      'DEPOSIT',
    ])
    expect(Number(position.healthFactor)).toBeLessThan(1)
  })

  it('are liquidated once nothing is left, and tell what was lost', async () => {
    await loans.settle(market, 1n, 2000)
    await later()
    await loans.on(market, 'liquidate', [4n, noPrice])
    await world.follow()
    const id = await idOf('4')
    const position = await loans.read(market, `positions/${id}`)
    expect(position).toMatchObject({ status: 'LIQUIDATED', liquidated: true, collateralAmount: '0' })
    expect(position.closedAt).not.toBeNull()
    const { realizationLoss: loss } = position
    expect(loss).toMatchObject({
      records: 2,
      pending: 1,
      complete: false,
      seizureReserveCovered: '0',
      settlementReserveCovered: '0',
      asset: { address: world.cash, symbol: 'USDX', decimals: 6 },
    })
    expect(Number(loss.writtenOffAtSeizure)).toBeGreaterThan(0)
    expect(Number(loss.settlementShortfall)).toBeCloseTo(1500, 0)
    expect(Number(loss.poolLoss)).toBeCloseTo(Number(loss.writtenOffAtSeizure) + Number(loss.settlementShortfall), 6)
    expect((await list('?status=LIQUIDATED')).positions.map(({ id }: { id: string }) => id)).toEqual([id])
  })

  it('tell what sales left over', async () => {
    await loans.settle(market, 2n, 20_000)
    await world.follow()
    const { surplus, realizationLoss, transactions } = await loans.read(market, `positions/${await idOf('4')}`)
    expect(Number(surplus.returned)).toBeGreaterThan(10_000)
    expect(surplus).toMatchObject({ escrowed: '0', claimable: '0' })
    expect(realizationLoss).toMatchObject({ records: 2, pending: 0, complete: true, poolLoss: '0' })
    expect(transactions.map(({ txType }: Line) => txType)).toEqual(
      expect.arrayContaining(['SURPLUS_RETURNED', 'LIQUIDATION_SETTLED', 'RESERVE_DRAWN', 'CLOSE', 'LIQUIDATION']),
    )
  })

  it('show pledges that are no longer backed', async () => {
    const insert = (holder: string) => world.superuser`
      insert into lien_shortfalls (shortfall_id, chain_id, adapter, holder, token, expected, found, pledged, block_number, block_hash, noticed_at)
      values (gen_random_uuid(), ${world.node.chainId}, ${market.adapter}, ${holder}, ${world.security.token}, 105, 100, 105, 1, '0x', now())`
    const intact = async () => {
      const { positions } = await list('?limit=200')
      const shown = Object.fromEntries(
        positions.map((row: Record<string, unknown>) => [row.onChainLoanId, row.collateralIntact]),
      )
      expect((await loans.read(market, 'loan/1')).collateralIntact).toBe(shown['1'])
      expect((await loans.read(market, `positions/${await idOf('1')}`)).collateralIntact).toBe(shown['1'])
      return shown
    }
    await insert(lower(borrower))
    expect(await intact()).toEqual({ 1: false, 2: true, 3: true, 4: true })
    await world.superuser`update lien_shortfalls set healed_at = now()`
    expect(await intact()).toEqual({ 1: true, 2: true, 3: true, 4: true })
    await insert(market.adapter)
    expect((await intact())['1']).toBe(false)
    await world.superuser`update lien_shortfalls set healed_at = now()`
  })

  it('are gone when a reorganization took them away, for the record and for a reader who is ahead of it', async () => {
    await later()
    await life.openLoan(market, borrower, { collateral: 10, amount: 300 })
    await world.follow()
    const id = await idOf('5')
    await world.node.testClient.request({ method: 'anvil_reorg', params: [1, []] } as never)
    expect((await loans.get(market, 'loan/5')).body.error?.code).toBe('LOAN_NOT_FOUND')
    expect((await loans.get(market, `positions/${id}`)).body.error?.code).toBe('POSITION_NOT_FOUND')
    const numbers = async () =>
      (await list()).positions.map(({ onChainLoanId }: { onChainLoanId: string }) => onChainLoanId)
    expect(await numbers()).toEqual(['4', '3', '2', '1'])
    await world.follow()
    expect(await numbers()).toEqual(['4', '3', '2', '1'])
    expect((await loans.get(market, `positions/${id}/statement`)).body.error?.code).toBe('POSITION_NOT_FOUND')
  })

  it('cost one round trip to the node, and a statement none', async () => {
    const id = await idOf('1')
    for (const [rest, expected] of [
      ['loan/1', 1],
      [`user-loans/${borrower.address}`, 1],
      [`user-collateral/${borrower.address}`, 1],
      ['positions', 1],
      ['positions?status=REPAID', 0],
      [`positions/${id}`, 1],
      [`positions/${await idOf('4')}`, 1],
      [`positions/${id}/statement`, 0],
    ] as const) {
      const trips = await world.roundTrips(async () => expect((await loans.get(market, rest)).status).toBe(200))
      expect([rest, trips]).toEqual([rest, expected])
    }
  })

  it('are known to every prefix, and to nobody who has no record of the market', async () => {
    const rest = `positions/${market.marketId}/loan/1`
    for (const prefix of ['/lending-external-securities/api', '/lending-external-securities-v2/api'])
      expect((await world.deployer.get(`${prefix}/${rest}`)).body.data.loanId).toBe('1')
    expect((await world.outsider.get(`/lending-external-securities/api/${rest}`)).body.error?.code).toBe(
      'MARKET_NOT_FOUND',
    )
  })

  it.each(['abc', '-1', '1.5', '0x1', '1'.repeat(16)])('refuse %j as the number of a loan', async (loanId) => {
    const { status, body } = await loans.get(market, `loan/${loanId}`)
    expect([status, body.error?.code]).toEqual([400, 'INVALID_LOAN_ID'])
    expect(body.error?.details).toEqual([{ field: 'loanId', message: expect.any(String) }])
  })

  it('know no loan and no position that there is not', async () => {
    for (const loanId of ['0', '999'])
      expect((await loans.get(market, `loan/${loanId}`)).body.error).toMatchObject({ code: 'LOAN_NOT_FOUND' })
    for (const id of ['1', 'x'.repeat(300), '00000000-0000-4000-8000-000000000000'])
      for (const rest of ['', '/statement']) {
        const { status, body } = await loans.get(market, `positions/${id}${rest}`)
        expect([status, body.error?.code]).toEqual([404, 'POSITION_NOT_FOUND'])
      }
  })

  it('refuse what is no wallet, no status and no cursor', async () => {
    const wrongCase = borrower.address.replace(/[a-f]/, (letter) => letter.toUpperCase())
    for (const [rest, field] of [
      ['user-loans/0x12', 'userAddress'],
      [`user-loans/${wrongCase}`, 'userAddress'],
      [`user-loans/${borrower.address}?cursor=x`, 'cursor'],
      ['user-collateral/0x12', 'userAddress'],
      [`user-collateral/${wrongCase}`, 'userAddress'],
      ['positions?status=OPEN', 'status'],
      ['positions?cursor=x', 'cursor'],
    ]) {
      const { status, body } = await loans.get(market, rest as string)
      expect([rest, status, body.error?.code]).toEqual([rest, 400, 'VALIDATION_ERROR'])
      expect(body.error?.details).toEqual([{ field, message: expect.any(String) }])
    }
  })

  it('are never made up: no node, no market, no oracle', async () => {
    const routes = [
      ['loan/1', 'LOAN_STATE_UNAVAILABLE'],
      ['positions', 'LOAN_STATE_UNAVAILABLE'],
      [`positions/${await idOf('1')}`, 'LOAN_STATE_UNAVAILABLE'],
      [`user-loans/${borrower.address}`, 'LOAN_STATE_UNAVAILABLE'],
    ] as const
    const expectRefused = async (asked: readonly (readonly [string, string])[]) => {
      for (const [rest, code] of asked) {
        const { status, body, headers } = await loans.get(market, rest)
        expect([rest, status, body.error?.code, headers['retry-after']]).toEqual([rest, 503, code, '1'])
      }
    }
    const all = [...routes, [`user-collateral/${borrower.address}`, 'MARKET_STATE_UNAVAILABLE']] as const
    await world.withoutNode(() => expectRefused(all))
    await world.withBroken(market.marketAddress, () => expectRefused(all))
    await world.withBroken(market.oracle, () => expectRefused(routes))
  })
})
