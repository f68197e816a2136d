import { lendingOperations } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { at, marketWrite, requirePositive } from '../core/index.ts'
import { signedPriceOf } from '../oracle/index.ts'
import { forecastDraws, payoutOf } from './draw.rules.ts'
import { drawReads, requireDrawState, vaultsAsked } from './draw-state.ts'
import { askForeign } from './foreign.reads.ts'
import { debtOf, isOpen, previewOf } from './loan.rules.ts'
import { freshPriceReads, loanRead, requireCurator, requireFreshPrice, requireLoan } from './loan-questions.ts'
import { paidToOf, vaultDrawsOf } from './loan-receipt.ts'

/** The price that the call would find; null: it would find none, and the simulation says so. */
function priceOrNull(...asked: Parameters<typeof requireFreshPrice>): bigint | null {
  try {
    return requireFreshPrice(...asked)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'MARKET_STATE_UNAVAILABLE') return null
    throw error
  }
}

/** Drawing more on a loan that is open. */
export const borrowMore = marketWrite(lendingOperations.borrowMore, {
  call: at('market', 'borrowMore', 'LoanIncreased'),
  shape: 'flat',

  async build({ market, chain, body, cash, refuse }) {
    const loanId = BigInt(body.loanId)
    const amount = requirePositive('amount', body.amount, market.borrowDecimals)
    const signed = signedPriceOf(body.signedPrice)
    const { block, results } = await readNamed(chain, {
      ...drawReads(market),
      loan: loanRead(market, loanId),
      ...freshPriceReads(market, signed),
    })
    const state = requireDrawState(results, refuse)
    requireCurator(state, refuse)
    const loan = requireLoan(results.loan, refuse)
    const price = priceOrNull(results, signed, block.time)
    const borrower = lowered(loan.borrower)
    const payee = loan.payee === zeroAddress ? null : lowered(loan.payee)

    const vaults = vaultsAsked(state, amount)
    const foreign = vaults.length > 0 ? await askForeign(chain, block, { market, holder: borrower, vaults }) : null
    const { suffices, draws } = forecastDraws(
      state.pool,
      amount,
      vaults.map((vault, index) => ({ vault, drawable: foreign?.drawable[index] ?? null })),
    )
    const after = { collateral: loan.collateral, debt: debtOf(loan) + amount, ...state.config }
    return {
      block,
      signer: borrower,
      args: { loanId, amount, signedPrice: signed },
      confirmWith: { loanId: body.loanId, amount: cash(amount) },
      answer: {
        loanId: body.loanId,
        amount: cash(amount),
        paidTo: payee ?? borrower,
        payeeAddress: payee,
        transactionFee: payoutOf(market, state.openFee, amount).transactionFee,
        preview: price === null || !isOpen(loan) ? null : previewOf(market, { ...after, price }),
        // A draw that does not suffice reverts, and takes nothing from anybody.
        vaultDraws: suffices ? draws.map((draw) => ({ ...draw, amount: cash(draw.amount) })) : [],
      },
    }
  },

  expect: ({ body, market }) => ({
    loanId: BigInt(body.loanId),
    amount: requirePositive('amount', body.amount, market.borrowDecimals),
  }),

  proven: ({ effect, logIndex, transaction }, { body, market, cash }) => ({
    loanId: body.loanId,
    additionalBorrow: cash(effect.amount),
    paidTo: paidToOf(market, transaction, logIndex),
    vaultDraws: vaultDrawsOf(market, transaction, logIndex),
  }),
})
