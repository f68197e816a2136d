import { zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import {
  debtOf,
  healthFactorDown,
  isOpen,
  type LoanOnChain,
  type RealizationTerms,
  shownHealth,
  statusOf,
  termOf,
} from '../loans/index.rules.ts'

/** By which a loan is measured: the stored price, fresh or not, and its own terms. */
export interface Measure extends RealizationTerms {
  readonly price: bigint
  readonly chainTime: number
}

/** Null: closed, or without debt. */
export function healthOf({ collateralDecimals }: Market, loan: LoanOnChain, measure: Measure) {
  if (!isOpen(loan)) return null
  const threshold = BigInt(measure.liquidationThresholdBps)
  return shownHealth(healthFactorDown(loan.collateral, measure.price, collateralDecimals, threshold, debtOf(loan)))
}

/** A loan as the chain has it. */
export function shownLoan(market: Market, loanId: bigint, loan: LoanOnChain, measure: Measure) {
  const { borrowDecimals, collateralDecimals } = market
  return {
    loanId: loanId.toString(),
    borrower: loan.borrower.toLowerCase(),
    payee: loan.payee === zeroAddress ? null : loan.payee.toLowerCase(),
    collateralAmount: formatUnits(loan.collateral, collateralDecimals),
    principal: formatUnits(loan.principal, borrowDecimals),
    accruedInterest: formatUnits(loan.interest, borrowDecimals),
    healthFactor: healthOf(market, loan, measure),
    liquidationThresholdBps: measure.liquidationThresholdBps,
    liquidationPenaltyBps: measure.liquidationPenaltyBps,
    active: isOpen(loan),
    inAuction: statusOf(loan) === 'IN_AUCTION',
    debtFree: debtOf(loan) === 0n,
    fixedRateBps: loan.rateBps === 0n ? null : Number(loan.rateBps),
    dueAt: loan.dueAt === 0n ? null : Number(loan.dueAt),
    term: isOpen(loan) ? termOf(loan, measure.chainTime) : null,
  }
}
