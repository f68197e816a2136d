import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { CLAIM_ACTION, forecastRelease, wasEscrowed } from '../collateral-release.ts'
import { abis } from '../contracts.ts'
import { capacityDown, debtOf, type LoanAfter, previewOf } from '../loan.rules.ts'
import {
  answered,
  freshPriceReads,
  loanRead,
  loanTermsRead,
  realizationTermsOf,
  requireFreshPrice,
  requireOpenLoan,
} from '../loan-questions.ts'
import type { Market } from '../market/market.store.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import { signedPriceOf } from '../oracle/signed-price.ts'
import type { LendingParts } from '../parts.ts'
import { requirePositive } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { deferredAfter } from './loan-receipt.ts'
import { withdrawCollateralCall } from './move-collateral.call.ts'
import { confirmLoanWith, confirmMoved } from './moved-collateral.ts'

type WithdrawBody = BodyOf<typeof lendingOperations.withdrawCollateral>

/** Stricter than the market, which only wants the loan healthy: a loan at that border is realized by the next tick of its price. */
function requireCovered(market: Market, after: LoanAfter) {
  const { collateral, debt, price, collateralFactorBps } = after
  const preview = previewOf(market, after)
  if (debt <= capacityDown(collateral, price, market.collateralDecimals, BigInt(collateralFactorBps))) return preview
  const { maxBorrow, healthFactor } = preview
  throw new AppError('WOULD_BREACH_HEALTH_FACTOR', {
    detail: `What is left would carry ${maxBorrow}; the loan owes ${preview.debt}.`,
    extra: { details: { debt: preview.debt, maxBorrow, healthFactor } },
  })
}

/** Taking back what a loan does not need. */
export function createWithdrawCollateral({ chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: WithdrawBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const loanId = BigInt(body.loanId)
      const amount = requirePositive('amount', body.amount, market.collateralDecimals)
      const signed = signedPriceOf(body.signedPrice)
      const chain = chains.get(market.chainId)
      const { block, results } = await readNamed(chain, {
        loan: loanRead(market, loanId),
        terms: loanTermsRead(market, loanId),
        config: contractRead(market.address, abis.market, 'config', []),
        ...freshPriceReads(market, signed),
      })
      const loan = requireOpenLoan(results.loan)
      const { config, price: stored } = results
      if (!config.ok || !stored.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
      const shown = formatUnits(amount, market.collateralDecimals)
      if (amount > loan.collateral)
        throw new AppError('INSUFFICIENT_COLLATERAL', {
          detail: `The loan holds ${formatUnits(loan.collateral, market.collateralDecimals)}, which is less than ${shown}.`,
        })
      const debt = debtOf(loan)
      // Without debt the market asks for no price.
      const price = debt === 0n ? stored.value : requireFreshPrice(results, signed, block.time)
      const preview = requireCovered(market, {
        ...config.value,
        ...realizationTermsOf(answered(results.terms), config.value),
        collateral: loan.collateral - amount,
        debt,
        price,
      })

      const borrower = loan.borrower.toLowerCase() as Address
      const intent = { chain, pair: withdrawCollateralCall, target: market.address, kind: 'market' }
      const [collateralRelease, built] = await Promise.all([
        forecastRelease(chain, { marketId, market }, borrower, amount),
        intents.build(intent, { loanId, amount, signed }, borrower, explainLending),
      ])
      const data = {
        ...built,
        loanId: loanId.toString(),
        amount: shown,
        preview,
        collateralRelease,
        confirmWith: confirmLoanWith(call, `/positions/${marketId}/withdraw-collateral`, loanId),
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, body: WithdrawBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const intent = { chain: chains.get(market.chainId), pair: withdrawCollateralCall }
      const { moved, proof } = await confirmMoved(intents, call, market, intent, body)
      const { transaction, logIndex } = proof
      const { block } = transaction
      if (wasEscrowed(market, moved.loanId, transaction.logs)) {
        const kept = {
          delivered: false,
          escrowed: true as const,
          escrowedAmount: moved.amount,
          adapterAddress: market.adapter,
          claimAction: CLAIM_ACTION,
          message: 'The token refused its holder: the adapter keeps the collateral until he claims it.',
        }
        return { data: { ...moved, ...kept }, block }
      }
      const deferred = deferredAfter(market, transaction, logIndex)
      if (deferred === null) return { data: { ...moved, delivered: true }, block }
      const frozen = {
        delivered: false,
        deferredAmount: formatUnits(deferred, market.collateralDecimals),
        adapterAddress: market.adapter,
        message:
          'The adapter is no agent of the token any more: this much stays frozen until it is again and releaseDeferred is called.',
      }
      return { data: { ...moved, ...frozen }, block }
    },
  }
}

export type WithdrawCollateral = ReturnType<typeof createWithdrawCollateral>
