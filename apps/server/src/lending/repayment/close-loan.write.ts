import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { at, marketWrite } from '../core/index.ts'
import { debtOf, isOpen, previewOf, statusOf } from '../loans/index.rules.ts'
import { forecastRelease } from '../loans/index.ts'
import { returnedIn } from './loan-receipt.ts'
import { standingReads } from './owed-loan.ts'

/** Closing loans that owe nothing any more, because a liquidation paid them off. */
export const closeLoan = marketWrite(lendingOperations.closeLoan, {
  call: at('market', 'closeLoan', 'LoanClosed'),

  async build({ record, market, chain, body, cash, refuse }) {
    const loanId = BigInt(body.loanId)
    const { block, results } = await readNamed(chain, standingReads(market, loanId))
    const { config, price } = results
    if (!results.loan.ok || !config.ok || !price.ok) throw refuse('LOAN_STATE_UNAVAILABLE')
    const loan = results.loan.value
    if (statusOf(loan) === 'NONE') throw refuse('LOAN_NOT_FOUND')
    if (!isOpen(loan)) throw refuse('LOAN_ALREADY_CLOSED')
    const debt = debtOf(loan)
    if (debt > 0n)
      throw refuse('DEBT_OUTSTANDING', {
        detail: `The loan still owes ${cash(debt)} ${market.borrowSymbol}: repay it, which closes it as well.`,
        extra: { outstandingDebt: cash(debt) },
      })
    const borrower = loan.borrower.toLowerCase() as Address
    return {
      block,
      signer: borrower,
      args: { loanId },
      confirmWith: { loanId: loanId.toString() },
      answer: forecastRelease(chain, record, borrower, loan.collateral).then((collateralRelease) => ({
        loanId: loanId.toString(),
        requiredSigner: borrower,
        preview: previewOf(market, { ...config.value, collateral: 0n, debt: 0n, price: price.value }),
        collateralRelease,
      })),
    }
  },

  expect: ({ body }) => ({ loanId: BigInt(body.loanId) }),

  proven: ({ effect, transaction }, { market }) => ({
    loanId: effect.loanId.toString(),
    ...returnedIn(market, effect.loanId.toString(), transaction.logs),
  }),
})
