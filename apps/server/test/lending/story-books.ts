import type { LendingState } from '@tallystick/lending-model'
import { units } from './lending-world.ts'

const amongst = (wanted: bigint | undefined) => wanted ?? 0n

/** Where the cash of a settlement went, read off the books of the model before and after it. */
export function settledBetween(before: LendingState, after: LendingState, realizationId: number) {
  const id = BigInt(realizationId)
  const [was, is] = [before.realizations.get(id), after.realizations.get(id)]
  if (!was || !is) throw new Error(`the model has no realization ${id}`)
  const borrower = before.loans.get(was.loanId)?.borrower ?? ''
  const [owed, owes] = [before.arrears.get(was.loanId), after.arrears.get(was.loanId)]
  const covered = is.covered - was.covered
  const toPool = is.recovered - was.recovered
  const isFirst = was.status === 'OPEN'
  // What is missing of a claim joins the losses when its record is closed, and late cash for it leaves them again.
  const joined = isFirst ? is.claim - is.recovered - covered : -toPool
  const recovered = amongst(owed?.lost) + joined - amongst(owes?.lost)
  const reimbursed = amongst(owed?.advanced) + covered - amongst(owes?.advanced)
  const penaltyOnClaim = (is.claim * is.penaltyBps) / 10_000n
  const kept = is.keptPenalty - was.keptPenalty
  const room = penaltyOnClaim > was.keptPenalty ? penaltyOnClaim - was.keptPenalty : 0n
  const penalty = kept < room ? kept : room
  const debtApplied = is.beyond - was.beyond
  const surplus = amongst(after.assets.get(borrower)) - amongst(before.assets.get(borrower))
  return {
    claim: is.claim,
    toPool,
    reserveReimbursed: reimbursed,
    penalty,
    debtApplied,
    /** Losses of before, and the rest of the penalty. */
    writeOffRecovered: recovered + kept - penalty,
    surplus,
    covered,
    shortfall: is.principalOwed - is.principalRecovered,
    cash: toPool + reimbursed + kept + debtApplied + recovered + surplus,
  }
}

/** The newest seizure. */
export function newestSeizure({ realizations }: LendingState) {
  const newest = realizations.get(BigInt(realizations.size))
  if (!newest) throw new Error('the model seized nothing')
  return newest
}

/** What a seizure moved to the router or the venue. */
export function seizedBetween(before: LendingState, after: LendingState): bigint {
  const held = ({ collaterals }: LendingState) => (collaterals.get('router') ?? 0n) + (collaterals.get('venue') ?? 0n)
  return held(after) - held(before)
}

/** The settings as the model names them. */
export function modelConfig(shown: Record<string, string | boolean>) {
  const whole = (name: string) => BigInt(String(shown[name]))
  return {
    collateralFactorBps: whole('collateralFactor'),
    liquidationThresholdBps: whole('liquidationThreshold'),
    liquidationPenaltyBps: whole('liquidationPenalty'),
    protocolFeeBps: whole('protocolFeeRate'),
    closeFactorBps: whole('closeFactor'),
    useDutchAuction: shown.useDutchAuction === true,
    auctionDuration: whole('auctionDuration'),
    auctionStartBps: whole('auctionStartPremium'),
    auctionMinBps: whole('auctionMinPremium'),
    minBorrowAmount: units(Number(shown.minBorrowAmount), 6),
    maxTotalCollateral: units(Number(shown.maxTotalCollateral)),
    maxUserCollateral: units(Number(shown.maxUserCollateral)),
  }
}
