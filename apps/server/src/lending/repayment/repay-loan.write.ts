import { lendingOperations } from '@tallystick/wire'
import type { Hex } from 'viem'
import { approveStep } from '../../platform/chain/unsigned-call.ts'
import { at, marketWrite, optionalAddress } from '../core/index.ts'
import { forecastRelease } from '../loans/index.ts'
import { checkPermit, permitValue } from './check-permit.ts'
import { paidIn, returnedIn } from './loan-receipt.ts'
import { readOwedLoan } from './owed-loan.ts'
import { planPayment } from './payment.rules.ts'
import { requestOf } from './payment-request.ts'
import { isPermitSupported } from './permit-terms.ts'
import { offerForAll } from './repayment.rules.ts'

/** Wallets cannot estimate a payment before its approval is mined. A token may take long to give collateral back. */
const PAYMENT_GAS = 600_000
const PERMIT_GAS = 50_000
const RETURN_GAS = 900_000

const withPermit = at('market', 'repayWithPermit', 'LoanRepaid')

/** Paying loans back. */
export const repayLoan = marketWrite(lendingOperations.repayLoan, {
  call: at('market', 'repay', 'LoanRepaid'),
  orCalls: [withPermit],

  async build({ record, market, chain, body, cash }) {
    const { permit } = body
    const wanted = requestOf(body, market)
    const signed = permit ? permitValue(permit, wanted, market) : null
    const named = optionalAddress('payerAddress', body.payerAddress)
    const owed = await readOwedLoan(chain, market, BigInt(body.loanId), named)
    const { block, loanId, loan, payer } = owed
    const warning = permit && signed !== null ? await checkPermit(market, owed, wanted, signed, permit) : null
    const offered = signed ?? wanted ?? offerForAll(owed.repayFee, owed.debt)
    const { paid, discharged, facts } = planPayment(market, owed, offered)

    const shown = `${cash(offered)} ${market.borrowSymbol}`
    const approve = (raw: bigint, description: string) =>
      approveStep(market.borrowAsset, market.address, raw, description)
    const payment = { loanId, amount: offered }
    const permitted = permit && {
      call: withPermit.prepare(market.address, {
        ...payment,
        ...{ deadline: BigInt(permit.deadline), v: permit.v, r: permit.r as Hex, s: permit.s as Hex },
      }),
      functionName: withPermit.functionName,
    }
    const released = forecastRelease(chain, record, loan.borrower, facts.fullRepayment ? loan.collateral : 0n)
    return {
      block,
      signer: payer,
      ...(permitted ? { instead: permitted } : { args: payment }),
      steps: {
        before: permit ? [] : [approve(offered, `Lets the market take ${shown}.`)],
        after: offered > paid ? [approve(0n, 'Takes back what the market was allowed and did not need.')] : [],
        description: facts.fullRepayment
          ? `Repays loan ${loanId} in full with at most ${shown}, and releases its collateral.`
          : `Pays ${shown} on loan ${loanId}.`,
      },
      confirmWith: { loanId: facts.loanId },
      answer: released.then((collateralRelease) => ({
        success: true as const,
        gasLimit: (PAYMENT_GAS + (permit ? PERMIT_GAS : 0) + (collateralRelease ? RETURN_GAS : 0)).toString(),
        ...facts,
        warning,
        repayAmount: cash(offered),
        payerAddress: payer,
        permitSupported: isPermitSupported(market, owed.permit),
        permitUsed: permit !== undefined,
        preview: owed.preview(discharged),
        collateralRelease,
      })),
    }
  },

  expect: ({ body }) => ({ loanId: BigInt(body.loanId) }),

  proven({ effect, transaction }, { market }) {
    const loanId = effect.loanId.toString()
    const returned = returnedIn(market, loanId, transaction.logs)
    return {
      loanId,
      paidBy: effect.payer,
      ...paidIn(market, loanId, transaction.logs),
      loanClosed: returned.collateralReturned !== null,
      ...returned,
    }
  },
})
