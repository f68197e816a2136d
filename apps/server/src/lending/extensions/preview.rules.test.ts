import { describe, expect, it } from 'vitest'
import type { LoanNow, ProposalNow } from './extension.reads.ts'
import { type KnownLoans, previewOf } from './preview.rules.ts'
import { whyNotPropose } from './proposal.rules.ts'

const loan = (status: number, effectiveDueAt: bigint) => ({ status, effectiveDueAt }) as LoanNow
const proposal = (kind: number, request: Partial<ProposalNow> = {}) =>
  ({ kind, newDueAt: 1000, loanId: 0, cursor: 0, maxLoanId: 0, ...request }) as ProposalNow
const known = (count: bigint, read: [bigint, LoanNow][] = [], closed: (loanId: bigint) => boolean = () => false) =>
  ({ count, read: new Map(read), isClosed: closed }) satisfies KnownLoans

const inAuction = loan(2, 500n)

describe('what an extension would do', () => {
  it('passes over a loan whose collateral is being auctioned, except for the floor', () => {
    const loans = known(1n, [[1n, inAuction]])
    const skipped = [{ loanId: '1', reason: 'IN_REALIZATION' }]
    expect(previewOf(proposal(0, { loanId: 1 }), loans)).toEqual({ touched: [], skipped, complete: true })
    expect(previewOf(proposal(1, { maxLoanId: 1 }), loans).skipped).toEqual(skipped)
    expect(previewOf(proposal(2), loans).touched).toEqual([{ loanId: '1', currentDueAt: 500, newDueAt: 1000 }])
  })

  it('shows the next two hundred loans of a batch, from where it stands', () => {
    const preview = previewOf(
      proposal(1, { cursor: 10, maxLoanId: 300 }),
      known(300n, [], () => true),
    )
    expect(preview.complete).toBe(false)
    expect(preview.skipped).toHaveLength(200)
    expect(preview.skipped[0]).toEqual({ loanId: '11', reason: 'CLOSED' })
  })

  it('does not count closed loans for a floor, and says when a loan is not known', () => {
    const closed = (loanId: bigint) => loanId < 900n
    expect(previewOf(proposal(2), known(900n, [[900n, loan(1, 5n)]], closed))).toMatchObject({
      touched: [{ loanId: '900' }],
      skipped: [],
      complete: true,
    })
    expect(previewOf(proposal(2), known(901n, [[900n, loan(1, 5n)]], closed)).complete).toBe(false)
  })
})

describe('proposing for a loan in an auction', () => {
  it('is refused, as the market would', () => {
    const terms = { maxLoanDuration: 1, isExtensionAllowed: true } as never
    const situation = { terms, loan: inAuction, isProvidedFor: true, chainTime: 1 }
    const refusal = whyNotPropose({ kind: 'LOAN', loanId: 1n, newDueAt: 1000n }, situation)
    expect(refusal).toMatchObject({ code: 'LOAN_NOT_ACTIVE', detail: expect.stringContaining('auction') })
  })
})
