import { describe, expect, it } from 'vitest'
import { termReach, termWarnings } from './term-config.rules.ts'
import { termFloorExposure } from './term-floor.rules.ts'
import type { TermState } from './terms.reads.ts'

const auctions = { useDutchAuction: true, auctionMinBps: 8000, liquidationThresholdBps: 9000 }
const terms = { maxLoanDuration: 86_400, gracePeriod: 86_400, terminalDueAt: 0, termPenaltyBps: 300 }
const state = (stampsLoanTerms: boolean | null, activeLoans: bigint, config: object = auctions) =>
  ({ stampsLoanTerms, pool: { activeLoans }, config }) as unknown as TermState

describe('what an auction at the floor leaves open', () => {
  it('is the gap between what a loan may owe and what the floor brings', () => {
    expect(termFloorExposure(auctions, 300)).toMatchObject({ exposed: true, uncoveredBps: 1112, floorGapBps: 2000 })
    expect(termFloorExposure({ ...auctions, auctionMinBps: 9000 }, 300)).toMatchObject({
      exposed: false,
      uncoveredBps: 0,
    })
    expect(termFloorExposure({ ...auctions, useDutchAuction: false }, 300)).toMatchObject({ exposed: false })
  })
})

describe('warnings before terms are signed', () => {
  const kinds = (...given: Parameters<typeof termWarnings>) => termWarnings(...given).map(({ kind }) => kind)

  it('tell of the floor only where new loans will mature', () => {
    expect(kinds(terms, state(true, 2n))).toEqual(['TERM_FLOOR_EXPOSURE'])
    expect(kinds({ ...terms, maxLoanDuration: 0 }, state(true, 2n))).toEqual([])
  })

  it('tell of open loans where a market does not stamp terms on loans, or does not say', () => {
    const safe = { ...auctions, useDutchAuction: false }
    expect(kinds(terms, state(false, 2n, safe))).toEqual(['OPEN_TERMED_LOANS_AFFECTED'])
    expect(kinds(terms, state(false, 0n, safe))).toEqual([])
    expect(termReach(state(null, 1n))).toMatchObject({ termStamping: 'UNKNOWN', openLoansFollowingConfig: 1 })
    expect(termReach(state(false, 1n))).toMatchObject({ termStamping: 'MARKET_CONFIG' })
  })
})
