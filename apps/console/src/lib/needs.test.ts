import { describe, expect, it } from 'vitest'
import { type LoanSeen, needsOf } from './needs.ts'

const NOW = Date.UTC(2026, 10, 17)
const DAY = 86_400
const loan = (loanId: string, seen: Partial<LoanSeen> = {}): LoanSeen => ({
  marketId: 'm',
  market: 'NORD / dEUR',
  loanId,
  health: '2.5',
  dueAt: null,
  ...seen,
})
const inDays = (days: number) => NOW / 1000 + days * DAY

describe('what needs somebody', () => {
  it('is a loan close to liquidation, one that is due, a stale price, and what is to be signed', () => {
    const built = {
      transactionId: 't',
      operation: 'repayLoan',
      summary: 'Repay',
      status: 'BUILT',
      maker: { name: 'a', userId: null },
    }
    const rest = { path: '/', txHash: null, builtAt: '', sentAt: null, blockNumber: null, approval: null }
    const needs = needsOf(
      [loan('1', { health: '1.05' }), loan('2', { dueAt: inDays(3) }), loan('3', { health: '0.9', dueAt: inDays(3) })],
      [{ marketId: 'n', market: 'Gold', isStale: true }],
      [
        { ...built, ...rest, status: 'BUILT' },
        { ...built, ...rest, transactionId: 'u', status: 'FINAL' },
      ],
      NOW,
    )
    expect(needs.map(({ kind, loanId, urgency, due }) => [kind, loanId, urgency, due])).toEqual([
      ['LOAN_NEAR_LIQUIDATION', '3', 'now', null],
      ['PRICE_STALE', undefined, 'now', null],
      ['LOAN_NEAR_LIQUIDATION', '1', 'soon', null],
      ['LOAN_DUE', '2', 'soon', inDays(3)],
      ['TRANSACTION_TO_SIGN', undefined, 'soon', null],
    ])
  })

  it('is nothing of a loan that is healthy and not due, and now what is overdue', () => {
    const seen = [
      loan('1'),
      loan('2', { health: null }),
      loan('3', { dueAt: inDays(30) }),
      loan('4', { dueAt: inDays(-1) }),
    ]
    expect(needsOf(seen, [{ marketId: 'm', market: 'x', isStale: false }], [], NOW)).toMatchObject([
      { kind: 'LOAN_DUE', loanId: '4', urgency: 'now' },
    ])
  })
})
