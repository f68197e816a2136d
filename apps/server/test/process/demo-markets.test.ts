import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoWorld } from '@tallystick/demo'
import { createTestClient, http } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RunningStack, readDemo, seededFolder, startStack, stopStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'

const HOUR = 3_600
const seizures = { freeze: 'inAuction', custody: 'onRouter' } as const
type Label = keyof typeof seizures
const labels: readonly Label[] = ['freeze', 'custody']

/** Chapters of one story: each goes on where the one before ended. */
describe('the lending markets of the demo', { timeout: 120_000 }, () => {
  let folder = ''
  let stack: RunningStack

  beforeAll(async () => {
    folder = await seededFolder()
    stack = await startStack(folder)
  }, 120_000)

  const recordOf = (label: Label) => stack.demo.markets[label]?.records.lender ?? ''
  const loanOf = (label: Label, loan: string) => String(readDemo(folder).markets[label]?.loans[loan])

  async function read(path: string, role = 'lender') {
    const { body } = await callHttp(stack.url, stack.demo.instances[role]?.apiKey ?? '', 'GET', path)
    expect(body.success, `${path}: ${JSON.stringify(body.error)}`).toBe(true)
    return body
  }
  const liquidations = (label: Label, rest: string) =>
    read(`/lending-external-securities/api/liquidations/${recordOf(label)}/${rest}`)
  const market = (label: Label, rest = '') =>
    read(`/lending-external-securities-v2/api/markets/${recordOf(label)}${rest}`)

  /** What a newcomer is shown in every market, whenever he comes. */
  async function expectStates(label: Label): Promise<void> {
    const { data, metadata } = await liquidations(label, 'liquidatable-loans')
    expect(data.priceStale).toBe(false)
    const numbers = (rows: { loanId: string }[]) => rows.map(({ loanId }) => loanId)
    expect(numbers(data.liquidatableLoans)).toEqual([loanOf(label, 'liquidatable')])
    const auctioned = label === 'freeze' ? [loanOf(label, 'inAuction')] : []
    expect(numbers(data.auctionedLoans)).toEqual(auctioned)
    for (const { expired } of data.auctionedLoans) expect(expired).toBe(false)
    const hoursLeft = (loan: string) => {
      const row = data.termedLoans.find(({ loanId }: { loanId: string }) => loanId === loanOf(label, loan))
      return (row.effectiveDueAt - metadata.chainTime) / HOUR
    }
    expect(hoursLeft('dueSoon')).toBeGreaterThan(20)
    expect(hoursLeft('dueSoon')).toBeLessThanOrEqual(24)
    expect(hoursLeft('healthy')).toBeGreaterThan(24 * 80)
    const position = `/lending-external-securities/api/positions/${recordOf(label)}/loan`
    for (const loan of ['healthy', 'dueSoon'])
      expect(Number((await read(`${position}/${loanOf(label, loan)}`)).data.healthFactor)).toBeGreaterThan(1.5)
  }

  /** The seizure that `demo.json` names is pending, and of the loan that it names. */
  async function expectSeizure(label: Label): Promise<void> {
    const seized = seizures[label]
    const { instance, marketId, liquidationId } = readDemo(folder).liquidations[seized] ?? {}
    expect([instance, marketId]).toEqual(['lender', recordOf(label)])
    const { pendingLiquidations } = (await liquidations(label, 'pending-liquidations')).data
    const row = pendingLiquidations.find((one: { liquidationId: string }) => one.liquidationId === liquidationId)
    expect(row).toMatchObject({ loanId: loanOf(label, seized), status: 'PENDING' })
  }

  async function expectLoanAgainstShares(): Promise<void> {
    const { marketAddress, records } = stack.demo.markets['stock-freeze'] ?? {}
    const { markets } = (await read('/lending-stocks/api/markets')).data
    expect(markets).toMatchObject([{ id: records?.lender, marketAddress, collateralTokenSymbol: 'NWP' }])
    const ofStocks = async (rest: string) => (await read(`/lending-stocks/api/${rest}`)).data
    expect((await ofStocks(`markets/${records?.lender}/setup-steps`)).complete).toBe(true)
    const loan = await ofStocks(`positions/${records?.lender}/loan/1`)
    expect(loan).toMatchObject({ collateralAmount: '1000', active: true, collateralIntact: true })
    expect(Number(loan.healthFactor)).toBeGreaterThan(2.5)
    const { priceStale, liquidatableLoans } = await ofStocks(`liquidations/${records?.lender}/liquidatable-loans`)
    expect([priceStale, liquidatableLoans]).toEqual([false, []])
  }

  it('are told in demo.json, with a record per role, loans by label, and a borrower among the wallets', () => {
    const { demo } = stack
    const address = expect.stringMatching(/^0x[0-9a-f]{40}$/)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const common = { marketAddress: address, priceSource: 'NAV' }
    const both = { issuer: id, lender: id }
    expect(demo.markets).toEqual({
      freeze: {
        ...{ ...common, mode: 'FREEZE', records: both },
        loans: { dueSoon: 1, healthy: 2, liquidatable: 3, inAuction: 4 },
      },
      custody: {
        ...{ ...common, mode: 'CUSTODY', records: both },
        loans: { dueSoon: 1, healthy: 2, liquidatable: 3, onRouter: 4 },
      },
      'stock-freeze': { ...common, mode: 'FREEZE', records: both, loans: { healthy: 1 } },
      gold: { ...common, mode: 'CUSTODY', records: both, loans: { goldOnRouter: 1 } },
      seeking: { ...common, mode: 'CUSTODY', records: { issuer: id }, loans: {} },
      earlier: { ...common, mode: 'CUSTODY', records: both, loans: {} },
    })
    expect(demo.liquidations).toEqual({
      inAuction: { instance: 'lender', marketId: recordOf('freeze'), liquidationId: 'venue-1' },
      onRouter: { instance: 'lender', marketId: recordOf('custody'), liquidationId: '1' },
      goldOnRouter: { instance: 'lender', marketId: demo.markets.gold?.records.lender, liquidationId: '1' },
    })
    expect(demo.instances.issuer?.wallets.map(({ label }) => label)).toContain('Borrower')
  })

  it.each(labels)('show the %s market set up, funded, and with loans in every state', async (label) => {
    expect((await market(label, '/setup-steps')).data.complete).toBe(true)
    const { onChain } = (await market(label)).data
    const told = { isOnChain: true, seekingCurator: false, price: '80', useDutchAuction: label === 'freeze' }
    expect(onChain).toMatchObject({ ...told, activeLoans: '4' })
    expect(Number(onChain.borrowableLiquidity)).toBeGreaterThan(50_000)
    await expectStates(label)
    await expectSeizure(label)
    if (label === 'freeze')
      expect((await liquidations(label, 'auctions')).data.auctions).toMatchObject([{ phase: 'RUNNING', loanId: '4' }])
  })

  it('lend against shares too: a stock is frozen for a healthy loan', expectLoanAgainstShares)

  it('tell four weeks of prices', async () => {
    const { records } = stack.demo.markets['stock-freeze'] ?? {}
    const { data } = await read(`/lending-stocks/api/positions/${records?.lender}/price-history`)
    expect(data).toMatchObject({ currentPrice: 100, symbol: 'NWP' })
    expect(data.history.length).toBeGreaterThan(200)
    const seconds: number[] = data.history.map(({ timestamp }: { timestamp: number }) => timestamp / 1000)
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
    expect((seconds.at(-1) ?? 0) - (seconds[0] ?? 0)).toBeGreaterThan(27 * 24 * HOUR)
  })

  it('leave one that seeks its lender, whom it nominated', async () => {
    const { seeking } = stack.demo.markets
    const { data } = await read(`/lending-external-securities-v2/api/markets/${seeking?.records.issuer}`, 'issuer')
    expect(data).toMatchObject({
      marketAddress: seeking?.marketAddress,
      onChain: { isOnChain: true, seekingCurator: true, curator: null },
    })
  })

  describe('after a restart', () => {
    let before: DemoWorld
    beforeAll(async () => {
      before = stack.demo
      await stopStack(stack)
      stack = await startStack(folder)
    }, 120_000)

    it('are the same', async () => {
      expect([stack.demo.markets, stack.demo.liquidations]).toEqual([before.markets, before.liquidations])
      for (const label of labels) {
        expect((await market(label, '/metrics')).data.totalLoansCreated).toBe('4')
        await expectStates(label)
        await expectSeizure(label)
      }
      await expectLoanAgainstShares()
    })

    it('are kept alive: a day later prices are fresh, another auction runs, and another loan falls due', async () => {
      const node = createTestClient({ mode: 'anvil', transport: http(stack.demo.rpcUrl) })
      await node.increaseTime({ seconds: 25 * HOUR })
      await node.mine({ blocks: 1 })
      const isKept = () => {
        const { markets, liquidations: named } = readDemo(folder)
        const isRenewed = labels.every((label) => markets[label]?.loans.dueSoon === 5)
        return isRenewed && named.inAuction?.liquidationId === 'venue-2'
      }
      while (!isKept()) await sleep(200)
      for (const label of labels) {
        await expectStates(label)
        await expectSeizure(label)
      }
      await expectLoanAgainstShares()
      // What the first auction did not sell waits on the router.
      expect((await liquidations('freeze', 'pending-liquidations')).data.totalCount).toBe(2)
      await stopStack(stack)
      expect(stack.stderr()).toBe('')
    })
  })
})
