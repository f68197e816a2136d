import { describe, expectTypeOf, it } from 'vitest'
import type { Tally } from './index.ts'
import { isRefusal, items, pages, signAndConfirm, type Wallet } from './index.ts'

// The compiler proves what is written here; none of it runs.
const never = (_work: (tally: Tally, wallet: Wallet) => unknown): void => undefined
const market = { marketId: 'm' }

describe('the types of the client', () => {
  it('refuse a wrong field, a wrong type, a missing parameter and an unknown operation', () => {
    never((tally) => {
      tally.lending.repayLoan({ params: market, body: { loanId: 1, all: true } })
      // @ts-expect-error: no such field
      tally.lending.repayLoan({ params: market, body: { loanId: 1, everything: true } })
      // @ts-expect-error: not a boolean
      tally.lending.repayLoan({ params: market, body: { loanId: 1, all: 'yes' } })
      // @ts-expect-error: the loan is required
      tally.lending.repayLoan({ params: market, body: { all: true } })
      // @ts-expect-error: the parameter is required
      tally.lending.getMarket({})
      // @ts-expect-error: an address begins with 0x
      tally.stocks.getStock({ params: { tokenAddress: 'NORD' } })
      // @ts-expect-error: no such operation
      tally.lending.forgiveLoan({ params: market })
      // @ts-expect-error: takes no body
      tally.lending.listMarkets({ body: {} })
    })
  })

  it('let a request be left out where nothing is required', () => {
    never((tally) => {
      tally.access.getInstance()
      tally.lending.listMarkets({ query: { includeOnChain: true } })
      // @ts-expect-error: `q` is required
      tally.register.searchIssuers()
    })
  })

  it('tell what is built from what is confirmed', () => {
    never(async (tally, wallet) => {
      const params = market
      const built = await tally.lending.repayLoan({ params, body: { loanId: 1, all: true } })
      expectTypeOf(built.data.confirmStepIndex).toEqualTypeOf<number>()
      const done = await tally.lending.repayLoan({ params, body: { loanId: 1, txHash: '0x1' } })
      expectTypeOf(done.data.loanClosed).toEqualTypeOf<boolean>()
      const signed = await signAndConfirm(tally.lending.repayLoan, { params, body: { loanId: 1 } }, wallet)
      expectTypeOf(signed.confirmed.repaidAmount).toEqualTypeOf<string>()
      const proposed = await signAndConfirm(
        tally.lending.proposeExtension,
        { params, body: { kind: 'FLOOR', newDueAt: 1 } },
        wallet,
      )
      expectTypeOf(proposed.confirmed.noOp).toEqualTypeOf<boolean>()
      const role = await signAndConfirm(
        tally.lending.setAccessRole,
        { params, body: { role: 'MARKET_ADMIN', action: 'grant', address: '0x1' } },
        wallet,
      )
      // Whoever holds the role already has nothing to sign.
      expectTypeOf(role.confirmed).toBeNullable()
      // @ts-expect-error: reads are not signed
      signAndConfirm(tally.lending.getMarket, { params }, wallet)
    })
  })

  it('name the prefixes that serve an operation', () => {
    never((tally) => {
      tally.lending.getMarket({ params: market, surface: 'lending-stocks' })
      tally.trading.listOrderBooks({ surface: 'orderbooks/commodities' })
      // @ts-expect-error: no such prefix
      tally.lending.getMarket({ params: market, surface: 'lending-bonds' })
      // @ts-expect-error: served at one place only
      tally.access.getInstance({ surface: 'access' })
    })
  })

  it('know the codes of each operation, and the fields of each code', () => {
    never((tally) => {
      const error: unknown = undefined
      if (!isRefusal(error, tally.trading.debitLedger)) return
      expectTypeOf(error.message).toEqualTypeOf<string>()
      if (error.code === 'INSUFFICIENT_BALANCE') {
        expectTypeOf(error.extra.available).toEqualTypeOf<string>()
        expectTypeOf(error.status).toEqualTypeOf<400>()
      }
      // @ts-expect-error: another operation's code
      if (error.code === 'LOAN_NOT_FOUND') return
      if (error.code === 'RATE_LIMIT_EXCEEDED') expectTypeOf(error.extra.retryAfterSeconds).toEqualTypeOf<number>()
    })
  })

  it('page what has pages, and nothing else', () => {
    never((tally) => {
      pages(tally.trading.listLedgerEntries, {})
      const loans = items(tally.lending.listPositions, { params: market }, ({ data }) => data.positions)
      expectTypeOf(loans.next).returns.resolves.toHaveProperty('value')
      // @ts-expect-error: one answer is all there is
      pages(tally.access.listKeys, {})
    })
  })

  it('give files and streams their own answers', () => {
    never(async (tally) => {
      const file = await tally.lending.exportTerms({ params: market })
      expectTypeOf(file.bytes).toExtend<Uint8Array>()
      for await (const message of tally.trading.streamOffchainBook({ params: { orderBookId: 'b' } }))
        if (message.type === 'snapshot') expectTypeOf(message.checksum).toEqualTypeOf<string>()
    })
  })
})
