import { describe, expect, it } from 'vitest'
import { drawnIn } from '../../../test/lending/pdf-text.ts'
import type { LoanEvent } from './loan-events.rules.ts'
import { lossesOf } from './losses.rules.ts'
import { statementName, statementOf, statementReference } from './statement.rules.ts'
import { renderStatementPdf } from './statement-pdf.ts'

let place = 0
const event = (
  operation: string,
  effect: Record<string, string | number> = {},
  txHash = `0x${++place}`,
): LoanEvent => ({
  operation: operation.includes('.') ? operation : `market.${operation}`,
  effect: Object.fromEntries(Object.entries(effect).map(([name, value]) => [name, String(value)])),
  txHash,
  logIndex: 0,
  blockTime: 1_800_000_000,
  place: String(++place),
  sender: '0xs',
  recorded: false,
})

const opened = event('LoanOpened', { principal: 7000, collateral: 100 })
const balances = (...events: LoanEvent[]) =>
  statementOf([opened, ...events]).lines.map(({ principal, collateral }) => [Number(principal), Number(collateral)])

describe('the balances of a statement', () => {
  it('follow draws, payments and pledges', () => {
    expect(
      balances(
        event('OpenFeeCharged', { fee: 1 }),
        event('LoanIncreased', { amount: 500, principal: 7500 }),
        event('CollateralAdded', { amount: 5, total: 105 }),
        event('CollateralWithdrawn', { amount: 3, total: 102 }),
        event('LoanRepaid', { principal: 1000, interest: 20 }),
        event('RepayFeeCharged', { fee: 1 }),
        event('ExtensionApplied', { newDueAt: 1_900_000_000 }),
        event('LoanRebound', { newWallet: '0xw' }),
        event('LoanRepaid', { principal: 6500, interest: 20 }),
        event('LoanClosed', { collateralReturned: 102 }),
        event('custodyAdapter.CollateralEscrowed', { amount: 102 }),
        event('InterestSplit'),
      ),
    ).toEqual([
      [7000, 100],
      [7000, 100],
      [7500, 100],
      [7500, 105],
      [7500, 102],
      [6500, 102],
      [6500, 102],
      [6500, 102],
      [6500, 102],
      [0, 102],
      [0, 0],
      [0, 0],
    ])
  })

  it('know that a seizure pays interest first, and that its proceeds may pay down the rest', () => {
    expect(
      balances(
        event('LoanLiquidated', { realizationId: 1, claim: 3600, totalDebt: 7200, collateral: 60 }),
        event('RealizationSettled', { realizationId: 1, proceeds: 5000 }),
        event('LiquidationDebtApplied', { realizationId: 1, amount: 1000 }),
      ),
    ).toEqual([
      [7000, 100],
      [3600, 40],
      [3600, 40],
      [2600, 40],
    ])
  })

  it('are nothing once a seizure closed the loan, whatever it left unpaid', () => {
    expect(
      balances(
        event('LoanClosed', { collateralReturned: 0 }, '0xaa'),
        event('LoanLiquidated', { realizationId: 1, claim: 3000, totalDebt: 7200, collateral: 100 }, '0xaa'),
        event('WrittenOffAtSeizure', { realizationId: 1, amount: 4200, covered: 0 }, '0xaa'),
      ),
    ).toEqual([
      [7000, 100],
      [0, 0],
      [0, 0],
      [0, 0],
    ])
  })

  it('tell a pledge that was short from a delivery that was', () => {
    const seize = (txHash: string) =>
      event('LoanLiquidated', { realizationId: 1, claim: 3500, totalDebt: 7000, collateral: 45 }, txHash)
    expect(
      balances(
        event('CollateralMissing', { expected: 100, found: 90 }, '0xbb'),
        seize('0xbb'),
        event('CollateralMissing', { expected: 45, found: 44 }, '0xbb'),
        event('CollateralMissing', { expected: 45, found: 40 }, '0xcc'),
      ).slice(1),
    ).toEqual([
      [7000, 90],
      [3500, 45],
      [3500, 45],
      [3500, 40],
    ])
  })
})

describe('a statement', () => {
  it('has a reference of its transactions, in whatever order they come', () => {
    const other = event('LoanClosed')
    const reference = statementReference('0xm', '1', [opened, other, opened])
    expect(reference).toMatch(/^[0-9a-f]{64}$/)
    expect(statementReference('0xm', '1', [other, opened])).toBe(reference)
    expect(statementReference('0xm', '2', [other, opened])).not.toBe(reference)
    expect(statementReference('0xm', '1', [opened])).not.toBe(reference)
  })

  it('is a file that says what it is', () => {
    expect(statementName('NORD', '7', 1_800_000_000)).toBe('Loan-Statement_NORD_7_2027-01-15.pdf')
    expect(statementName('"; ä/', '7', 1_800_000_000)).toBe('Loan-Statement_MARKET_7_2027-01-15.pdf')
  })

  it('goes on over pages without losing a line or the end of a figure', async () => {
    const figure = `${'123456789'.repeat(6)}.${'1'.repeat(18)}`
    const rows = Array.from({ length: 120 }, (_, index) => ({
      cells: ['2027-01-15', `Step ${index}`, figure, '1', '2'],
      note: `0x${index}`,
    }))
    const createdAt = new Date(0)
    const request = { title: 'Statement', facts: [['Loan', '1']] as const, columns: ['a', 'b', 'c', 'd', 'e'], rows }
    const pdf = await renderStatementPdf({ ...request, notes: ['The end'], createdAt })
    const text = drawnIn(pdf)
    for (let index = 0; index < 120; index += 1) expect(text).toContain(`Step ${index}${figure}12`)
    expect(text.endsWith('The end')).toBe(true)
  })
})

describe('what a loan lost', () => {
  it('is nothing to tell when it was never seized', () => {
    expect(lossesOf([opened])).toBeNull()
  })

  it('is what neither sales nor the fund paid, less what came late', () => {
    const seized = (realizationId: number, claim: number, collateral = 10) =>
      event('LoanLiquidated', { realizationId, claim, collateral, totalDebt: claim })
    expect(
      lossesOf([
        seized(1, 1000),
        event('RealizationSettled', { realizationId: 1, proceeds: 700, covered: 100 }),
        seized(2, 500),
        event('RealizationWrittenOff', { realizationId: 2, claim: 500, covered: 200 }),
        event('LateProceeds', { realizationId: 2, proceeds: 60, toPool: 50, toFund: 10 }),
        seized(3, 300),
        seized(4, 0, 0),
        event('WrittenOffAtSeizure', { realizationId: 4, amount: 80, covered: 30 }),
        seized(5, 100),
        event('RealizationSettled', { realizationId: 5, proceeds: 900, covered: 0 }),
      ]),
    ).toEqual({
      records: 5,
      pending: 1,
      writtenOffAtSeizure: 80n,
      seizureReserveCovered: 30n,
      settlementShortfall: 450n,
      settlementReserveCovered: 300n,
    })
  })
})
