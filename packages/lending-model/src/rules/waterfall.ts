import { bps, divideDown, greater, lessAtLeastZero, lesser } from './arithmetic.ts'

export function withPenaltyDown(amount: bigint, penaltyBps: bigint): bigint {
  return amount + divideDown(amount * penaltyBps, bps)
}

/** How far the cash of a realization has come, and what it is for. */
export interface Entitlements {
  claim: bigint
  totalDebt: bigint
  penaltyBps: bigint
  /** Of the claim: paid by sales, paid by the fund. */
  recovered: bigint
  covered: bigint
  /** What the fund paid for this record and did not get back. */
  advanced: bigint
  keptPenalty: bigint
  /** Beyond claim and penalty: kept of sales, and paid by the fund for a residual. */
  keptBeyond: bigint
  loanDebt: bigint
}

export interface Legs {
  toClaim: bigint
  toFund: bigint
  penalty: bigint
  debtApplied: bigint
  recovered: bigint
  surplus: bigint
}

/** Claim, fund, penalty on the claim, the rest of the debt at seizure and its penalty, surplus. */
export function splitCash(cash: bigint, e: Entitlements): Legs {
  const mostForAll = withPenaltyDown(e.totalDebt, e.penaltyBps)
  const mostForClaim = withPenaltyDown(e.claim, e.penaltyBps)
  let left = cash
  const take = (room: bigint): bigint => {
    const taken = lesser(left, room)
    left -= taken
    return taken
  }
  const toClaim = take(e.claim - e.recovered - e.covered)
  const toFund = take(e.advanced)
  const penalty = take(mostForClaim - e.claim - e.keptPenalty)
  const kept = take(mostForAll - mostForClaim - e.keptBeyond)
  const debtApplied = lesser(kept, e.loanDebt)
  const surplus = cash - toClaim - toFund - penalty - kept
  return { toClaim, toFund, penalty, debtApplied, recovered: kept - debtApplied, surplus }
}

/** The fund covers what is missing below the better of the proceeds and the floor value, or all if countersigned. */
export function coverableGap(claim: bigint, proceeds: bigint, floorValue: bigint, isCountersigned: boolean): bigint {
  return lessAtLeastZero(claim, isCountersigned ? proceeds : greater(proceeds, floorValue))
}
