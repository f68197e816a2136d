import { lendingOperations } from '@tallystick/wire'
import { describe, expect, it } from 'vitest'
import { at } from '../src/lending/core/calls.ts'
import { AppError, type Refuse, refuse } from '../src/platform/app-error.ts'
import type { LegCall } from '../src/platform/http/legs.ts'

// Each line below the marks does not compile. Were one to compile, the type check would complain about its mark.

const market = `0x${'1'.repeat(40)}` as const
const call = at('market', 'borrowMore', 'LoanIncreased')
const signedPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' } as const

describe('what the types refuse, and the run as well where it can tell', () => {
  it('arguments under other names, or swapped with one of another type', () => {
    // @ts-expect-error the contract calls it loanId
    expect(() => call.prepare(market, { loan: 1n, amount: 2n, signedPrice })).toThrow('borrowMore does not take')
    // @ts-expect-error the amount stands where the price belongs
    expect(() => call.prepare(market, { loanId: 1n, amount: signedPrice, signedPrice: 2n })).toThrow()
    expect(call.prepare(market, { amount: 2n, signedPrice, loanId: 1n })).toEqual(
      call.prepare(market, { loanId: 1n, amount: 2n, signedPrice }),
    )
  })

  it('a field that the event does not have', () => {
    const effect = { loanId: 1n, amount: 2n, principal: 3n }
    expect(call.isFor(effect, { amount: 2n })).toBe(true)
    // @ts-expect-error the event calls it amount
    expect(call.isFor(effect, { borrowed: 2n })).toBe(false)
    // @ts-expect-error no contract of this kind has such a function
    at('market', 'borrowMuchMore', 'LoanIncreased')
  })

  it('a code that no operation has, and one that is not of the leg', () => {
    // @ts-expect-error it is MARKET_PAUSED
    expect(new AppError('MARKET_PAUSD').code).toBe('MARKET_PAUSD')
    type OfBorrowMore = LegCall<typeof lendingOperations.borrowMore, 'build'>['refuse']
    const own: OfBorrowMore = refuse
    expect(own('LOAN_NOT_FOUND').code).toBe('LOAN_NOT_FOUND')
    // @ts-expect-error borrowing more never asks for a fresh price: the simulation tells
    expect(own('PRICE_STALE').code).toBe('PRICE_STALE')
    const ofARule = (answer: Refuse<'LOAN_NOT_FOUND' | 'PRICE_STALE'>) => answer('PRICE_STALE').code
    // @ts-expect-error nor may a rule do so in its name
    expect(ofARule(own)).toBe('PRICE_STALE')
    expect(Object.keys(lendingOperations.borrowMore.legs.build.errors)).not.toContain('PRICE_STALE')
  })
})
