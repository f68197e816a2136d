import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { forecastRelease } from '../collateral-release.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { optionalAddress } from '../request-fields.ts'
import { approveStep, buildSteps, type PlannedStep } from '../steps.ts'
import { checkPermit, permitValue } from './check-permit.ts'
import { paidIn, returnedIn } from './loan-receipt.ts'
import { readOwedLoan } from './owed-loan.ts'
import { planPayment } from './payment.rules.ts'
import { wishOf } from './payment-request.ts'
import { isPermitSupported } from './permit-terms.ts'
import { repayCall, repayWithPermitCall } from './repay.call.ts'
import { offerForAll } from './repayment.rules.ts'

type RepayBody = BodyOf<typeof lendingOperations.repayLoan>

/** Wallets cannot estimate a payment before its approval is mined. A token may take long to give collateral back. */
const PAYMENT_GAS = 600_000
const PERMIT_GAS = 50_000
const RETURN_GAS = 900_000

/** Paying loans back. */
export function createRepay({ clock, chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: RepayBody) {
      const record = await findDeployedMarket(call, marketId)
      const { market } = record
      const { permit } = body
      const wish = wishOf(body, market)
      const signed = permit ? permitValue(permit, wish, market) : null
      const wished = optionalAddress('payerAddress', body.payerAddress)
      const chain = chains.get(market.chainId)
      const owed = await readOwedLoan(chain, market, BigInt(body.loanId), wished)
      const { block, loanId, loan, payer } = owed
      const warning = permit && signed !== null ? await checkPermit(market, owed, wish, signed, permit) : null
      const offered = signed ?? wish ?? offerForAll(owed.repayFee, owed.debt)
      const { paid, discharged, facts } = planPayment(market, owed, offered)

      const amount = formatUnits(offered, market.borrowDecimals)
      const approve = (raw: bigint, description: string) =>
        approveStep(market.borrowAsset, market.address, raw, description)
      const description = facts.fullRepayment
        ? `Repays loan ${loanId} in full with at most ${amount} ${market.borrowSymbol}, and releases its collateral.`
        : `Pays ${amount} ${market.borrowSymbol} on loan ${loanId}.`
      const pays: PlannedStep = permit
        ? {
            call: repayWithPermitCall.prepare(market.address, {
              ...{ loanId, amount: offered, deadline: permit.deadline, v: permit.v },
              ...{ r: permit.r as Hex, s: permit.s as Hex },
            }),
            functionName: repayWithPermitCall.functionName,
            description,
          }
        : {
            call: repayCall.prepare(market.address, { loanId, amount: offered }),
            functionName: repayCall.functionName,
            description,
          }
      const before = permit ? [] : [approve(offered, `Lets the market take ${amount} ${market.borrowSymbol}.`)]
      const after = offered > paid ? [approve(0n, 'Takes back what the market was allowed and did not need.')] : []

      const [{ built, calls }, collateralRelease] = await Promise.all([
        buildSteps(chain, payer, [...before, pays, ...after], clock),
        forecastRelease(chain, record, loan.borrower, facts.fullRepayment ? loan.collateral : 0n),
      ])
      const gas = PAYMENT_GAS + (permit ? PERMIT_GAS : 0) + (collateralRelease ? RETURN_GAS : 0)
      const data = {
        success: true as const,
        ...built,
        confirmStepIndex: before.length,
        gasLimit: gas.toString(),
        ...facts,
        warning,
        repayAmount: amount,
        payerAddress: payer,
        permitSupported: isPermitSupported(market, owed.permit),
        permitUsed: permit !== undefined,
        preview: owed.preview(discharged),
        collateralRelease,
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/positions/${marketId}/repay`),
          field: 'txHash' as const,
          body: { loanId: facts.loanId, txHash: null },
        },
      }
      return { data, block, calls }
    },

    async confirm(call: MarketCall, marketId: string, body: RepayBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const loanId = BigInt(body.loanId)
      const place = { chain: chains.get(market.chainId), target: market.address, kind: 'market' }
      const confirm = (pair: typeof repayCall | typeof repayWithPermitCall) =>
        intents.confirm(call.tenant, { ...place, pair }, { loanId }, body.txHash as Hex)
      const { effect, transaction, verifiedBy } = await confirm(repayCall).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'TX_WRONG_FUNCTION') return confirm(repayWithPermitCall)
        throw error
      })
      const { hash, logs, block } = transaction
      const returned = returnedIn(market, loanId.toString(), logs)
      const data = {
        txHash: hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        loanId: loanId.toString(),
        paidBy: String(effect.payer),
        ...paidIn(market, loanId.toString(), logs),
        loanClosed: returned.collateralReturned !== null,
        ...returned,
      }
      return { data, block }
    },
  }
}

export type Repay = ReturnType<typeof createRepay>
