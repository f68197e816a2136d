import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { debtOf, healthFactorDown, type LoanOnChain, shownHealth, statusOf, termOf } from '../loans/index.rules.ts'
import type { Measure } from './shown-loan.rules.ts'

/** A market of the instance, and what its oracle said. */
export interface LookedAtMarket {
  readonly marketId: string
  readonly market: Market
  readonly priceUpdatedAt: bigint
  readonly maxPriceAge: bigint
}

/** A market whose contracts did not answer: its loans cannot be judged. */
export interface UnreadMarket {
  readonly marketId: string
  readonly market: Market
  readonly reason: 'MARKET_UNREADABLE' | 'PRICE_UNREADABLE'
}

/** An open loan as the chain had it. */
export interface LookedAtLoan {
  readonly marketId: string
  readonly market: Market
  readonly loanId: bigint
  readonly loan: LoanOnChain
  readonly measure: Measure
  /** Is the pledge still backed, as far as the watch has seen? */
  readonly isIntact: boolean
}

export type LoanOrder = 'health' | 'dueAt'

/** 1e18 is the border. Null: no debt. */
export const healthWad = ({ market, loan, measure }: LookedAtLoan): bigint | null =>
  healthFactorDown(
    loan.collateral,
    measure.price,
    market.collateralDecimals,
    BigInt(measure.liquidationThresholdBps),
    debtOf(loan),
  )

/** Seconds. Null: it has no maturity. */
export const dueOf = ({ loan }: LookedAtLoan): bigint | null => (loan.dueAt === 0n ? null : loan.effectiveDueAt)

const LAST = 'z'
const DIGITS = 80

/** Sorts as text; what has no figure comes last. */
function figureOf(one: LookedAtLoan, order: LoanOrder): string {
  const figure = order === 'health' ? healthWad(one) : dueOf(one)
  return figure === null ? LAST : figure.toString().padStart(DIGITS, '0')
}

export interface Ranked {
  readonly one: LookedAtLoan
  /** Its place in the list, which a cursor names. */
  readonly place: string
}

export function ranked(loans: readonly LookedAtLoan[], order: LoanOrder): Ranked[] {
  const placed = loans.map((one) => ({
    one,
    place: `${figureOf(one, order)} ${one.marketId} ${one.loanId.toString().padStart(20, '0')}`,
  }))
  return placed.sort((a, b) => (a.place < b.place ? -1 : 1))
}

const instantOf = (seconds: bigint | number) => new Date(Number(seconds) * 1000).toISOString()

export const shownUnread = ({ marketId, market, reason }: UnreadMarket) => ({
  marketId,
  collateralSymbol: market.collateralSymbol,
  borrowSymbol: market.borrowSymbol,
  reason,
})

export function shownOpenLoan(one: LookedAtLoan) {
  const { market, marketId, loan, measure, loanId } = one
  const due = dueOf(one)
  return {
    marketId,
    loanId: loanId.toString(),
    borrower: loan.borrower.toLowerCase(),
    collateralSymbol: market.collateralSymbol,
    borrowSymbol: market.borrowSymbol,
    collateralAmount: formatUnits(loan.collateral, market.collateralDecimals),
    principal: formatUnits(loan.principal, market.borrowDecimals),
    interest: formatUnits(loan.interest, market.borrowDecimals),
    healthFactor: shownHealth(healthWad(one)),
    liquidationThresholdBps: measure.liquidationThresholdBps,
    price: formatUnits(measure.price, market.borrowDecimals),
    dueAt: due === null ? null : instantOf(due),
    isOverdue: termOf(loan, measure.chainTime)?.enforceable ?? false,
    inAuction: statusOf(loan) === 'IN_AUCTION',
    collateralIntact: one.isIntact,
  }
}
