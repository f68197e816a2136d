import { describe, expect, it } from 'vitest'
import { judgeMarket, judgeVault, type MarketFigures } from './invariant.rules.ts'

const sound: MarketFigures = {
  market: '0xm',
  pool: {
    cash: 70n,
    heldProceeds: 5n,
    escrowedSurplus: 4n,
    infrastructureFees: 3n,
    operatorFees: 2n,
    distributorFees: 1n,
    protocolFees: 1n,
    totalAssets: 100n,
    totalBorrowed: 30n,
    totalCollateral: 12n,
    interestGross: 6n,
    carriedClaims: 9n,
    activeLoans: 1n,
    openAuctions: 1n,
  },
  cashHeld: 86n,
  sharesWorth: 100n,
  loans: [
    { principal: 30n, interest: 6n, collateral: 12n, isClosed: false, pledged: 12n },
    { principal: 0n, interest: 0n, collateral: 0n, isClosed: true, pledged: 0n },
  ],
  realizations: [
    { carried: 9n, held: 5n },
    { carried: 0n, held: 0n },
  ],
  escrow: 12n,
  router: { held: 8n, booked: 8n, proceedsHeld: 2n, proceedsBooked: 2n },
  venue: { held: 3n, booked: 3n, openAuctions: 1n },
}

const broken = (change: Partial<MarketFigures>) =>
  judgeMarket({ ...sound, ...change }).flatMap(({ invariant, broken }) =>
    broken === null ? [] : [`${invariant}: ${broken}`],
  )
const pool = (change: Partial<MarketFigures['pool']>) => ({ pool: { ...sound.pool, ...change } })
const [loan, closed] = sound.loans
if (!loan || !closed) throw new Error('two loans')

describe('the promises of a market', () => {
  it('hold together', () => {
    expect(broken({})).toEqual([])
    expect(judgeMarket(sound)).toHaveLength(12)
    expect(judgeMarket({ ...sound, escrow: null, venue: null })).toHaveLength(10)
  })

  it('are not broken by what somebody sends for nothing', () => {
    const given = { cashHeld: 999n, escrow: 999n, router: { ...sound.router, held: 999n, proceedsHeld: 999n } }
    expect(broken({ ...given, venue: { held: 999n, booked: 3n, openAuctions: 1n } })).toEqual([])
  })

  it.each<[string, Partial<MarketFigures>]>([
    ['cash-covered: 85 held, 86 booked', { cashHeld: 85n }],
    ['shares-within-assets: 100 held, 101 booked', { sharesWorth: 101n }],
    ['principal-is-the-sum-of-loans: 30 found, 31 told', pool({ totalBorrowed: 31n })],
    ['interest-is-owed-by-somebody: 6 held, 7 booked', pool({ interestGross: 7n })],
    ['open-loans-counted: 1 found, 2 told', pool({ activeLoans: 2n })],
    ['every-pledge-is-locked: 11 found, 12 told', { loans: [{ ...loan, pledged: 11n }, closed] }],
    ['claims-consumed-once: 9 found, 8 told', pool({ carriedClaims: 8n })],
    ['router-covered: 7 held, 8 booked', { router: { ...sound.router, held: 7n } }],
    ['router-covered: 1 held, 2 booked', { router: { ...sound.router, proceedsHeld: 1n } }],
    ['escrow-covered: 11 held, 12 booked', { escrow: 11n }],
    ['venue-covered: 2 held, 3 booked', { venue: { held: 2n, booked: 3n, openAuctions: 1n } }],
    ['venue-covered: 0 found, 1 told', { venue: { held: 3n, booked: 3n, openAuctions: 0n } }],
  ])('%s', (told, change) => {
    expect(broken(change)).toEqual([told])
  })

  it('say of a closed loan that it owes, and of collateral that nobody counted', () => {
    expect(broken({ loans: [loan, { ...closed, interest: 1n }] })).toEqual([
      'closed-loans-owe-nothing: 1 found, 0 told',
    ])
    expect(broken(pool({ totalCollateral: 11n }))).toEqual(['collateral-is-the-sum-of-loans: 12 found, 11 told'])
  })
})

it('a vault can pay everybody out at once, token by token', () => {
  const figures = { vault: '0xv', token: '0xt', held: 5n, booked: 5n }
  expect(judgeVault(figures)).toEqual({ contract: '0xv', invariant: 'balances-covered 0xt', broken: null })
  expect(judgeVault({ ...figures, held: 4n }).broken).toBe('4 held, 5 booked')
})
