import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { type LoanOnChain, statusOf, termOf } from '../loans/index.rules.ts'
import { holderOf } from './pledge.rules.ts'
import type { PositionRow } from './positions.store.ts'
import { healthOf, type Measure } from './shown-loan.rules.ts'

const instant = (seconds: number) => new Date(seconds * 1000).toISOString()
const instantOrNull = (seconds: number | null) => (seconds === null ? null : instant(seconds))

/** An open loan as the chain has it. */
interface Live {
  readonly loan: LoanOnChain
  readonly measure: Measure
}

/** What of a loan only the chain knows; of a closed one nothing is left. */
function liveFields(market: Market, row: PositionRow, live: Live | null) {
  if (!live)
    return {
      collateralAmount: '0',
      borrowedAmount: '0',
      healthFactor: null,
      liquidationThresholdBps: null,
      liquidationPenaltyBps: null,
      dueAt: row.dueAt === '0' ? null : Number(row.dueAt),
      term: null,
      inAuction: false,
    }
  const { loan, measure } = live
  return {
    collateralAmount: formatUnits(loan.collateral, market.collateralDecimals),
    borrowedAmount: formatUnits(loan.principal, market.borrowDecimals),
    healthFactor: healthOf(market, loan, measure),
    liquidationThresholdBps: measure.liquidationThresholdBps,
    liquidationPenaltyBps: measure.liquidationPenaltyBps,
    dueAt: loan.dueAt === 0n ? null : Number(loan.dueAt),
    term: termOf(loan, measure.chainTime),
    inAuction: statusOf(loan) === 'IN_AUCTION',
  }
}

/** What lists and a single position have in common: history from our record, figures from the chain. */
export function shownPosition(market: Market, row: PositionRow, live: Live | null, collateralIntact: boolean) {
  const asAsset = (raw: string) => formatUnits(BigInt(raw), market.borrowDecimals)
  return {
    onChainLoanId: row.loanId,
    userAddress: live ? live.loan.borrower.toLowerCase() : holderOf(row),
    payeeAddress: row.payee,
    ...liveFields(market, row, live),
    priceAtBorrow: row.priceAtBorrow === null ? null : asAsset(row.priceAtBorrow),
    fixedRateBps: row.rateBps === 0 ? null : row.rateBps,
    totalBorrowed: asAsset(row.drawn),
    totalRepaid: asAsset(row.repaid),
    status: row.status,
    liquidated: row.liquidatedAt !== null,
    liquidatedAt: instantOrNull(row.liquidatedAt),
    openedAt: instant(row.openedAt),
    closedAt: instantOrNull(row.closedAt),
    lastUpdated: instant(row.lastAt),
    collateralIntact,
  }
}
