import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { closingAmount, measurePayment } from './repayment.rules.ts'

interface Owed {
  readonly loanId: bigint
  readonly debt: bigint
  readonly repayFee: bigint
}

/** What a payment does, as answers show it. */
export function planPayment({ borrowDecimals, borrowSymbol }: Market, owed: Owed, offered: bigint) {
  const { debt, repayFee } = owed
  const { paid, discharged, fee } = measurePayment(repayFee, debt, offered)
  const amount = (raw: bigint) => formatUnits(raw, borrowDecimals)
  return {
    paid,
    discharged,
    facts: {
      loanId: owed.loanId.toString(),
      fullRepayment: discharged === debt,
      outstandingDebt: amount(debt),
      closingAmount: amount(closingAmount(repayFee, debt)),
      transactionFee:
        fee === 0n
          ? null
          : {
              kind: 'REPAY' as const,
              fee: amount(fee),
              feeRaw: fee.toString(),
              message: `A fee of ${amount(fee)} ${borrowSymbol} comes out of the payment first.`,
              debtReduction: amount(discharged),
            },
    },
  }
}
