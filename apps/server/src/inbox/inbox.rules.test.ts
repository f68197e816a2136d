import { describe, expect, it } from 'vitest'
import {
  countsOf,
  needOfClaim,
  needOfLoan,
  needOfPrice,
  needOfTransaction,
  needOfUnread,
  needOfWaiting,
  PLACE,
  placeOf,
} from './inbox.rules.ts'

const NOW = 1_800_000_000
const DAY = 86_400
const MARKET = '01890000-0000-7000-8000-00000000000b'
const urgencies = (needs: readonly { kind: string; urgency: string }[]) =>
  needs.map(({ kind, urgency }) => `${kind} ${urgency}`)
const date = (seconds: number) => new Date(seconds * 1000)

const loan = (health: string | null, dueAt: number | null = null) => ({
  marketId: MARKET,
  pair: 'BOND / USDC',
  loanId: '7',
  borrower: `0x${'a'.repeat(40)}`,
  healthWad: health === null ? null : BigInt(Math.round(Number(health) * 1e6)) * 10n ** 12n,
  healthFactor: health,
  dueAt,
})

describe('what needs somebody', () => {
  it('is a loan that is close to its end, by health before time', () => {
    const of = (health: string | null, dueAt: number | null = null) => urgencies(needOfLoan(loan(health, dueAt), NOW))
    expect(of('0.999999')).toEqual(['LOAN_NEAR_LIQUIDATION NOW'])
    expect(of('1', NOW - 1)).toEqual(['LOAN_NEAR_LIQUIDATION SOON'])
    expect(of('1.099999')).toEqual(['LOAN_NEAR_LIQUIDATION SOON'])
    expect(of('1.1')).toEqual([])
    expect(of(null)).toEqual([])
    expect(of('2', NOW)).toEqual(['LOAN_DUE NOW'])
    expect(of('2', NOW + 14 * DAY)).toEqual(['LOAN_DUE SOON'])
    expect(of('2', NOW + 14 * DAY + 1)).toEqual([])
  })

  it('is a price in the last fifth of its time, or after it', () => {
    const of = (age: number) =>
      urgencies(needOfPrice({ marketId: MARKET, pair: 'p', updatedAt: NOW - age, maxAge: 100 }, NOW))
    expect([of(80), of(81), of(100), of(101)]).toEqual([
      [],
      ['PRICE_STALE SOON'],
      ['PRICE_STALE SOON'],
      ['PRICE_STALE NOW'],
    ])
  })

  it('is a claim around its end', () => {
    const of = (expiry: number) => urgencies(needOfClaim({ slot: 'AML', wallet: '0x', expiry }, NOW))
    expect(of(0)).toEqual([])
    expect(of(NOW - 30 * DAY - 1)).toEqual([])
    expect(of(NOW - DAY)).toEqual(['CLAIM_EXPIRING NOW'])
    expect(of(NOW + 3 * DAY)).toEqual(['CLAIM_EXPIRING NOW'])
    expect(of(NOW + 30 * DAY)).toEqual(['CLAIM_EXPIRING SOON'])
    expect(of(NOW + 30 * DAY + 1)).toEqual([])
  })

  it('is a settlement or a request that waits', () => {
    const row = { id: 'i', bookId: 'b', label: 'l', requester: null, createdAt: date(NOW - 3_599), expiresAt: null }
    const settlement = { ...row, kind: 'SETTLEMENT_WAITING' as const }
    expect(urgencies(needOfWaiting(settlement, NOW))).toEqual(['SETTLEMENT_WAITING SOON'])
    expect(urgencies(needOfWaiting(settlement, NOW + 1))).toEqual(['SETTLEMENT_WAITING NOW'])
    const rfq = { ...row, kind: 'RFQ_OPEN' as const, expiresAt: date(NOW + 61) }
    expect(urgencies(needOfWaiting(rfq, NOW))).toEqual(['RFQ_OPEN SOON'])
    expect(urgencies(needOfWaiting(rfq, NOW + 1))).toEqual(['RFQ_OPEN NOW'])
  })

  it('is a transaction that nobody signed, proved, or that was undone', () => {
    const of = (status: string, sentAt: Date | null = null) =>
      urgencies(needOfTransaction({ transactionId: 't', summary: 's', status, sentAt }, NOW))
    expect(of('BUILT')).toEqual(['TRANSACTION_TO_SIGN SOON'])
    expect(of('PENDING')).toEqual(['TRANSACTION_TO_APPROVE SOON'])
    expect(of('UNDONE', date(NOW))).toEqual(['TRANSACTION_UNDONE NOW'])
    expect(of('SENT', date(NOW - 599))).toEqual([])
    expect(of('SENT', date(NOW - 600))).toEqual(['TRANSACTION_UNPROVEN SOON'])
    expect(of('FINAL', date(0))).toEqual([])
  })

  it('is shown most urgent first, at a place that a cursor can name', () => {
    const needs = [
      ...needOfTransaction({ transactionId: MARKET, summary: 's', status: 'BUILT', sentAt: null }, NOW),
      ...needOfLoan(loan('2', NOW + DAY), NOW),
      ...needOfLoan(loan('1.05'), NOW),
      ...needOfLoan(loan('0.9'), NOW),
      ...needOfLoan(loan('0.09'), NOW),
      ...needOfPrice({ marketId: MARKET, pair: 'p', updatedAt: NOW - 200, maxAge: 100 }, NOW),
      needOfUnread(MARKET, 'p'),
    ]
    const places = needs.map(placeOf)
    for (const place of places) expect(place).toMatch(PLACE)
    const order = needs.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    expect(order.map(({ kind, healthFactor }) => [kind, healthFactor])).toEqual([
      ['LOAN_NEAR_LIQUIDATION', '0.09'],
      ['LOAN_NEAR_LIQUIDATION', '0.9'],
      ['MARKET_UNREADABLE', null],
      ['PRICE_STALE', null],
      ['LOAN_NEAR_LIQUIDATION', '1.05'],
      ['LOAN_DUE', '2'],
      ['TRANSACTION_TO_SIGN', null],
    ])
    expect(countsOf(needs)).toMatchObject({
      total: 7,
      now: 4,
      soon: 3,
      byKind: { LOAN_NEAR_LIQUIDATION: 3, LOAN_DUE: 1, PRICE_STALE: 1, RFQ_OPEN: 0 },
    })
  })
})
