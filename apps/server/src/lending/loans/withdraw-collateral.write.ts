import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { at, marketWrite, requirePositive } from '../core/index.ts'
import { signedPriceOf } from '../oracle/index.ts'
import { CLAIM_ACTION, forecastRelease, wasEscrowed } from './collateral-release.ts'
import { capacityDown, debtOf, type LoanAfter, previewOf } from './loan.rules.ts'
import {
  answered,
  freshPriceReads,
  loanRead,
  loanTermsRead,
  realizationTermsOf,
  requireFreshPrice,
  requireOpenLoan,
} from './loan-questions.ts'
import { deferredAfter } from './loan-receipt.ts'

/** Stricter than the market, which only wants the loan healthy: a loan at that border is realized by the next tick of its price. */
function requireCovered(market: Market, after: LoanAfter, refuse: Refuse<'WOULD_BREACH_HEALTH_FACTOR'>) {
  const { collateral, debt, price, collateralFactorBps } = after
  const preview = previewOf(market, after)
  if (debt <= capacityDown(collateral, price, market.collateralDecimals, BigInt(collateralFactorBps))) return preview
  const { maxBorrow, healthFactor } = preview
  throw refuse('WOULD_BREACH_HEALTH_FACTOR', {
    detail: `What is left would carry ${maxBorrow}; the loan owes ${preview.debt}.`,
    extra: { details: { debt: preview.debt, maxBorrow, healthFactor } },
  })
}

/** Taking back what a loan does not need. */
export const withdrawCollateral = marketWrite(lendingOperations.withdrawCollateral, {
  call: at('market', 'withdrawCollateral', 'CollateralWithdrawn'),

  async build({ marketId, market, chain, body, tokens, refuse }) {
    const loanId = BigInt(body.loanId)
    const amount = requirePositive('amount', body.amount, market.collateralDecimals)
    const signed = signedPriceOf(body.signedPrice)
    const { block, results } = await readNamed(chain, {
      loan: loanRead(market, loanId),
      terms: loanTermsRead(market, loanId),
      config: contractRead(market.address, abis.market, 'config', []),
      ...freshPriceReads(market, signed),
    })
    const { config, price: stored } = results
    const loan = requireOpenLoan(results.loan, refuse)
    if (!config.ok || !stored.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
    if (amount > loan.collateral)
      throw refuse('INSUFFICIENT_COLLATERAL', {
        detail: `The loan holds ${tokens(loan.collateral)}, which is less than ${tokens(amount)}.`,
      })
    const debt = debtOf(loan)
    // Without debt the market asks for no price.
    const price = debt === 0n ? stored.value : requireFreshPrice(results, signed, block.time, refuse)
    const terms = realizationTermsOf(answered(results.terms), config.value)
    const after = { ...config.value, ...terms, collateral: loan.collateral - amount, debt, price }
    const preview = requireCovered(market, after, refuse)
    const borrower = loan.borrower.toLowerCase() as Address
    return {
      block,
      signer: borrower,
      args: { loanId, amount, signedPrice: signed },
      confirmWith: { loanId: loanId.toString() },
      answer: forecastRelease(chain, { marketId, market }, borrower, amount).then((collateralRelease) => ({
        loanId: loanId.toString(),
        amount: tokens(amount),
        preview,
        collateralRelease,
      })),
    }
  },

  expect: ({ body }) => ({ loanId: BigInt(body.loanId) }),

  proven({ effect, logIndex, transaction }, { market, tokens }) {
    const moved = {
      loanId: effect.loanId.toString(),
      amount: tokens(effect.amount),
      collateralAmount: tokens(effect.total),
    }
    if (wasEscrowed(market, moved.loanId, transaction.logs))
      return {
        ...moved,
        delivered: false,
        escrowed: true as const,
        escrowedAmount: moved.amount,
        adapterAddress: market.adapter,
        claimAction: CLAIM_ACTION,
        message: 'The token refused its holder: the adapter keeps the collateral until it is claimed.',
      }
    const deferred = deferredAfter(market, transaction, logIndex)
    if (deferred === null) return { ...moved, delivered: true }
    return {
      ...moved,
      delivered: false,
      deferredAmount: formatUnits(deferred, market.collateralDecimals),
      adapterAddress: market.adapter,
      message:
        'The adapter is no agent of the token any more: this much stays frozen until it is again and releaseDeferred is called.',
    }
  },
})
