import { bps, divideDown, greater, lessAtLeastZero, lesser } from './arithmetic.ts'

export function withPenaltyDown(amount: bigint, penaltyBps: bigint): bigint {
  return amount + divideDown(amount * penaltyBps, bps)
}

/** How far the cash of a realization has come, and what it is for. */
export interface Entitlements {
  claim: bigint
  totalDebt: bigint
  penaltyBps: bigint
  /** Of the claim: not paid yet, by nobody. */
  claimOpen: bigint
  /** What the fund paid for the loan and did not get back. */
  advanced: bigint
  keptPenalty: bigint
  /** Debt beyond the claim that this record wrote off or paid. */
  beyond: bigint
  loanDebt: bigint
  /** What the pool lost on the loan besides the open claim. */
  lost: bigint
}

export interface Legs {
  toClaim: bigint
  toFund: bigint
  penalty: bigint
  debtApplied: bigint
  recovered: bigint
  lastPenalty: bigint
  surplus: bigint
}

/** Claim, fund, penalty on the claim, debt, losses, penalty on the rest of the debt at seizure. Then the borrower. */
export function splitCash(cash: bigint, e: Entitlements): Legs {
  let left = cash
  const take = (room: bigint): bigint => {
    const taken = lesser(left, room)
    left -= taken
    return taken
  }
  const penaltyOn = (amount: bigint) => withPenaltyDown(amount, e.penaltyBps) - amount
  const toClaim = take(e.claimOpen)
  const toFund = take(e.advanced)
  const penalty = take(lessAtLeastZero(penaltyOn(e.claim), e.keptPenalty))
  const debtApplied = take(e.loanDebt)
  const recovered = take(e.lost)
  const most = penaltyOn(lesser(e.totalDebt, e.claim + e.beyond + e.loanDebt))
  const lastPenalty = take(lessAtLeastZero(most, e.keptPenalty + penalty))
  return { toClaim, toFund, penalty, debtApplied, recovered, lastPenalty, surplus: left }
}

/** The fund covers what is missing below the better of the proceeds and the floor value, or all if countersigned. */
export function coverableGap(claim: bigint, proceeds: bigint, floorValue: bigint, isCountersigned: boolean): bigint {
  return lessAtLeastZero(claim, isCountersigned ? proceeds : greater(proceeds, floorValue))
}
