import type { Market, OpenLoan, Position } from '../api/lending.ts'
import { nameOf, pairOf } from './market-state.tsx'

/** A loan as tables show it, whichever list it is from. */
export interface LoanRow {
  readonly marketId: string
  readonly marketName: string
  readonly pair: string
  readonly loanId: string
  readonly borrower: string
  readonly collateral: string
  readonly collateralUnit: string
  readonly principal: string
  readonly interest: string
  readonly debtUnit: string
  readonly health: string | null
  /** Null: none, or it does not matter any more. */
  readonly dueAt: string | null
  readonly status: Position['status']
  readonly inAuction: boolean
  readonly isOverdue: boolean
  readonly isIntact: boolean
}

const instant = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString())

const marketPart = (market: Market) => ({
  marketId: market.id,
  marketName: nameOf(market),
  pair: pairOf(market),
  collateralUnit: market.collateralTokenSymbol ?? market.collateralTokenAddress,
  debtUnit: market.borrowAssetSymbol ?? market.borrowAssetAddress,
})

/** Of one market, closed ones too. */
export const rowOfPosition = (market: Market, loan: Position): LoanRow => ({
  ...marketPart(market),
  loanId: loan.onChainLoanId,
  borrower: loan.userAddress,
  collateral: loan.collateralAmount,
  principal: loan.borrowedAmount,
  interest: loan.interestAccrued,
  health: loan.healthFactor,
  dueAt: loan.status === 'ACTIVE' ? instant(loan.term?.effectiveDueAt ?? loan.dueAt) : null,
  status: loan.status,
  inAuction: loan.inAuction,
  isOverdue: loan.status === 'ACTIVE' && loan.term?.enforceable === true,
  isIntact: loan.collateralIntact,
})

/** Of all markets. One that the list of markets does not have yet shows its symbols only. */
export function rowOfOpenLoan(markets: readonly Market[], loan: OpenLoan): LoanRow {
  const market = markets.find(({ id }) => id === loan.marketId)
  const pair = `${loan.collateralSymbol}/${loan.borrowSymbol}`
  return {
    ...(market
      ? marketPart(market)
      : {
          marketId: loan.marketId,
          marketName: pair,
          pair,
          collateralUnit: loan.collateralSymbol,
          debtUnit: loan.borrowSymbol,
        }),
    loanId: loan.loanId,
    borrower: loan.borrower,
    collateral: loan.collateralAmount,
    principal: loan.principal,
    interest: loan.interest,
    health: loan.healthFactor,
    dueAt: loan.dueAt,
    status: 'ACTIVE',
    inAuction: loan.inAuction,
    isOverdue: loan.isOverdue,
    isIntact: loan.collateralIntact,
  }
}
