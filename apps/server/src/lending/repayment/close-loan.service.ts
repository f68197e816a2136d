import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { forecastRelease } from '../collateral-release.ts'
import { debtOf, isOpen, previewOf } from '../loan.rules.ts'
import { requireLoan } from '../loan-questions.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { returnedIn } from './loan-receipt.ts'
import { standingReads } from './owed-loan.ts'
import { closeLoanCall } from './repay.call.ts'

type CloseBody = BodyOf<typeof lendingOperations.closeLoan>

/** Closing loans that owe nothing any more, because a liquidation paid them off. */
export function createCloseLoan({ chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: CloseBody) {
      const record = await findDeployedMarket(call, marketId)
      const { market } = record
      const loanId = BigInt(body.loanId)
      const chain = chains.get(market.chainId)
      const { block, results } = await readNamed(chain, standingReads(market, loanId))
      const { config, price } = results
      if (!results.loan.ok || !config.ok || !price.ok) throw new AppError('LOAN_STATE_UNAVAILABLE')
      const loan = requireLoan(results.loan)
      if (!isOpen(loan)) throw new AppError('LOAN_ALREADY_CLOSED')
      const debt = debtOf(loan)
      if (debt > 0n) {
        const outstandingDebt = formatUnits(debt, market.borrowDecimals)
        throw new AppError('DEBT_OUTSTANDING', {
          detail: `The loan still owes ${outstandingDebt} ${market.borrowSymbol}: repay it, which closes it as well.`,
          extra: { outstandingDebt },
        })
      }
      const borrower = loan.borrower.toLowerCase() as Address
      const intent = { chain, pair: closeLoanCall, target: market.address, kind: 'market' }
      const [built, collateralRelease] = await Promise.all([
        intents.build(intent, { loanId }, borrower, explainLending),
        forecastRelease(chain, record, borrower, loan.collateral),
      ])
      const data = {
        ...built,
        loanId: loanId.toString(),
        requiredSigner: borrower,
        preview: previewOf(market, { ...config.value, collateral: 0n, debt: 0n, price: price.value }),
        collateralRelease,
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/positions/${marketId}/close-loan`),
          field: 'txHash' as const,
          body: { loanId: loanId.toString(), txHash: null },
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, body: CloseBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const loanId = BigInt(body.loanId)
      const intent = { chain: chains.get(market.chainId), pair: closeLoanCall, target: market.address, kind: 'market' }
      const { transaction, verifiedBy } = await intents.confirm(call.tenant, intent, { loanId }, body.txHash as Hex)
      const data = {
        txHash: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        loanId: loanId.toString(),
        ...returnedIn(market, loanId.toString(), transaction.logs),
      }
      return { data, block: transaction.block }
    },
  }
}

export type CloseLoan = ReturnType<typeof createCloseLoan>
