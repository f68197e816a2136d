import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { debtOf, previewOf } from '../loan.rules.ts'
import { answered, loanRead, loanTermsRead, realizationTermsOf, requireOpenLoan } from '../loan-questions.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { requirePositive } from '../request-fields.ts'
import { buildSteps } from '../steps.ts'
import { askForeign } from './foreign.reads.ts'
import { addCollateralCall } from './move-collateral.call.ts'
import { confirmLoanWith, confirmMoved } from './moved-collateral.ts'
import { requireAdapter, requirePledgeable, requireWithinCaps } from './pledge.checks.ts'
import { pledgeSteps } from './pledge-steps.ts'

type AddCollateralBody = BodyOf<typeof lendingOperations.addCollateral>

/** Pledging more for a loan that is open. */
export function createAddCollateral({ clock, chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: AddCollateralBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const loanId = BigInt(body.loanId)
      const amount = requirePositive('amount', body.amount, market.collateralDecimals)
      const chain = chains.get(market.chainId)
      const { block, results } = await readNamed(chain, {
        loan: loanRead(market, loanId),
        terms: loanTermsRead(market, loanId),
        config: contractRead(market.address, abis.market, 'config', []),
        pool: contractRead(market.address, abis.market, 'pool', []),
        price: contractRead(market.oracle, abis.oracle, 'price', []),
      })
      const { config, pool, price } = results
      const loan = requireOpenLoan(results.loan)
      if (!config.ok || !pool.ok || !price.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
      const borrower = loan.borrower.toLowerCase() as Address
      const transfer = market.mode === 'CUSTODY' ? { from: borrower, to: market.adapter, amount } : null
      const foreign = await askForeign(chain, block, { market, holder: borrower, transfer })
      requireAdapter(market, foreign)
      requireWithinCaps(market, config.value, amount, { total: pool.value.totalCollateral, mine: foreign.pledged })
      requirePledgeable(market, borrower, amount, foreign)

      const shown = formatUnits(amount, market.collateralDecimals)
      const planned = pledgeSteps(market, amount, {
        call: addCollateralCall.prepare(market.address, { loanId, amount }),
        functionName: addCollateralCall.functionName,
        description: `Pledges ${shown} ${market.collateralSymbol} more for loan ${loanId}.`,
      })
      const { built, calls } = await buildSteps(chain, borrower, planned, clock)
      const after = { collateral: loan.collateral + amount, debt: debtOf(loan), price: price.value }
      const data = {
        ...built,
        confirmStepIndex: planned.length - 1,
        mode: market.mode,
        loanId: loanId.toString(),
        amount: shown,
        preview: previewOf(market, {
          ...after,
          ...config.value,
          ...realizationTermsOf(answered(results.terms), config.value),
        }),
        confirmWith: confirmLoanWith(call, `/positions/${marketId}/add-collateral`, loanId),
      }
      return { data, block, calls }
    },

    async confirm(call: MarketCall, marketId: string, body: AddCollateralBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const intent = { chain: chains.get(market.chainId), pair: addCollateralCall }
      const { moved, proof } = await confirmMoved(intents, call, market, intent, body)
      return { data: moved, block: proof.transaction.block }
    },
  }
}

export type AddCollateral = ReturnType<typeof createAddCollateral>
