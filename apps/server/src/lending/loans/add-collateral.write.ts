import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { at, marketWrite, requirePositive } from '../core/index.ts'
import { askForeign } from './foreign.reads.ts'
import { debtOf, previewOf } from './loan.rules.ts'
import { answered, loanRead, loanTermsRead, realizationTermsOf, requireOpenLoan } from './loan-questions.ts'
import { requireAdapter, requirePledgeable, requireWithinCaps } from './pledge-checks.ts'
import { stepsBeforePledge } from './pledge-steps.ts'

/** Pledging more for a loan that is open. */
export const addCollateral = marketWrite(lendingOperations.addCollateral, {
  call: at('market', 'addCollateral', 'CollateralAdded'),

  async build({ market, chain, body, tokens, refuse }) {
    const loanId = BigInt(body.loanId)
    const amount = requirePositive('amount', body.amount, market.collateralDecimals)
    const { block, results } = await readNamed(chain, {
      loan: loanRead(market, loanId),
      terms: loanTermsRead(market, loanId),
      config: contractRead(market.address, abis.market, 'config', []),
      pool: contractRead(market.address, abis.market, 'pool', []),
      price: contractRead(market.oracle, abis.oracle, 'price', []),
    })
    const { config, pool, price } = results
    const loan = requireOpenLoan(results.loan, refuse)
    if (!config.ok || !pool.ok || !price.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
    const borrower = loan.borrower.toLowerCase() as Address
    const transfer = market.mode === 'CUSTODY' ? { from: borrower, to: market.adapter, amount } : null
    const foreign = await askForeign(chain, block, { market, holder: borrower, transfer })
    requireAdapter(market, foreign, refuse)
    const pledged = { total: pool.value.totalCollateral, mine: foreign.pledged }
    requireWithinCaps(market, config.value, amount, pledged, refuse)
    requirePledgeable(market, borrower, amount, foreign, refuse)
    const after = { collateral: loan.collateral + amount, debt: debtOf(loan), price: price.value }
    const terms = realizationTermsOf(answered(results.terms), config.value)
    return {
      block,
      signer: borrower,
      args: { loanId, amount },
      steps: {
        before: stepsBeforePledge(market, amount),
        description: `Pledges ${tokens(amount)} ${market.collateralSymbol} more for loan ${loanId}.`,
      },
      confirmWith: { loanId: loanId.toString() },
      answer: {
        mode: market.mode,
        loanId: loanId.toString(),
        amount: tokens(amount),
        preview: previewOf(market, { ...after, ...config.value, ...terms }),
      },
    }
  },

  expect: ({ body }) => ({ loanId: BigInt(body.loanId) }),

  proven: ({ effect }, { tokens }) => ({
    loanId: effect.loanId.toString(),
    amount: tokens(effect.amount),
    collateralAmount: tokens(effect.total),
  }),
})
