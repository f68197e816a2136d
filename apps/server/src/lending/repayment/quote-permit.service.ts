import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { findDeployedMarket, type MarketCall, optionalAddress } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { readOwedLoan } from './owed-loan.ts'
import { planPayment } from './payment.rules.ts'
import { requestOf } from './payment-request.ts'
import { permitTypedData } from './permit.rules.ts'
import { requirePermitTerms } from './permit-terms.ts'
import { offerForAll } from './repayment.rules.ts'

type QuoteBody = BodyOf<typeof lendingOperations.quotePermit>

const DEFAULT_SECONDS = 1_800

/** What a payer signs instead of sending an approval. */
export function createQuotePermit({ chains }: LendingParts) {
  return async (call: MarketCall, marketId: string, body: QuoteBody) => {
    const { market } = await findDeployedMarket(call, marketId)
    const wish = requestOf(body, market)
    const wished = optionalAddress('payerAddress', body.payerAddress)
    const owed = await readOwedLoan(chains.get(market.chainId), market, BigInt(body.loanId), wished)
    const { block, payer } = owed
    const { domain, nonce } = requirePermitTerms(market, owed.permit)
    const value = wish ?? offerForAll(owed.repayFee, owed.debt)
    const { paid, facts } = planPayment(market, owed, value)
    const deadline = block.time + (body.deadlineSeconds ?? DEFAULT_SECONDS)
    const amount = formatUnits(value, market.borrowDecimals)
    const data = {
      success: true as const,
      action: 'SIGN_TYPED_DATA' as const,
      typedData: permitTypedData(domain, { owner: payer, spender: market.address, value, nonce, deadline }),
      permit: { value: amount, deadline },
      repay: {
        loanId: facts.loanId,
        ...(wish === null ? { all: true as const } : { amount }),
        ...(wished ? { payerAddress: wished } : {}),
      },
      ...facts,
      warning:
        wish !== null && value > paid
          ? `The amount is more than closes the loan: the market takes ${facts.closingAmount} and interest until then.`
          : null,
      borrowAssetSymbol: market.borrowSymbol,
      borrowAssetAddress: market.borrowAsset,
      signer: payer,
      nonce: nonce.toString(),
      description: `Lets the market take at most ${amount} ${market.borrowSymbol} from ${payer}, once, for loan ${facts.loanId}.`,
    }
    return { data, block }
  }
}

export type QuotePermit = ReturnType<typeof createQuotePermit>
