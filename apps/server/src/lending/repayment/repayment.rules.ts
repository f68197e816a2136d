import { feeInsidePaymentDown, flatFeeDown } from '../loans/index.rules.ts'

const BPS = 10_000n
/** Interest runs until the transaction is mined: an offer for everything leaves room for it. */
const BUFFER_BPS = 20n

export interface Measured {
  /** What leaves the payer's wallet. */
  readonly paid: bigint
  /** What comes off the debt. */
  readonly discharged: bigint
  readonly fee: bigint
}

/** Debt and fee together: what closes a loan, and the most that the market takes. */
export const closingAmount = (flatFee: bigint, debt: bigint): bigint => debt + flatFeeDown(flatFee, debt)

/** What a payment does, to the unit as the market measures it: the fee comes out of it first. */
export function measurePayment(flatFee: bigint, debt: bigint, amount: bigint): Measured {
  const closing = closingAmount(flatFee, debt)
  if (amount >= closing) return { paid: closing, discharged: debt, fee: closing - debt }
  const left = amount - feeInsidePaymentDown(flatFee, amount)
  const discharged = left > debt ? debt : left
  return { paid: amount, discharged, fee: amount - discharged }
}

/** What to offer so that the loan still closes after some days of interest. */
export function offerForAll(flatFee: bigint, debt: bigint): bigint {
  const grown = debt + (debt * BUFFER_BPS + BPS - 1n) / BPS
  return grown + flatFeeDown(flatFee, grown)
}
