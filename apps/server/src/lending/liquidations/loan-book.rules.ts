import { formatUnits } from '../../platform/amounts.rules.ts'
import { type AuctionOnChain, shownAuction, type VenueConditions } from '../auctions/index.rules.ts'
import type { Market } from '../core/index.rules.ts'
import {
  debtOf,
  healthFactorDown,
  isOpen,
  type LoanOnChain,
  type RealizationTerms,
  shownHealth,
  termOf,
} from '../loans/index.rules.ts'
import { triggerOf } from './seizure.rules.ts'

interface BookRules {
  readonly market: Market
  readonly price: bigint
  readonly chainTime: number
  /** The terms by which one loan is realized. */
  termsOf(loanId: bigint): RealizationTerms
}

const named = (id: bigint, loan: LoanOnChain) => ({ loanId: id.toString(), borrower: loan.borrower.toLowerCase() })

function healthOf({ market, price, termsOf }: BookRules, id: bigint, loan: LoanOnChain) {
  const threshold = BigInt(termsOf(id).liquidationThresholdBps)
  return shownHealth(healthFactorDown(loan.collateral, price, market.collateralDecimals, threshold, debtOf(loan)))
}

/** Null: it cannot be realized now. */
export function liquidatableLoan(rules: BookRules, id: bigint, loan: LoanOnChain) {
  const { market, chainTime } = rules
  const term = termOf(loan, chainTime)
  const trigger = triggerOf({
    ...rules.termsOf(id),
    price: rules.price,
    debt: debtOf(loan),
    collateral: loan.collateral,
    collateralDecimals: market.collateralDecimals,
    isPastTerm: term?.enforceable ?? false,
  })
  if (!trigger) return null
  return {
    ...named(id, loan),
    collateralAmount: formatUnits(loan.collateral, market.collateralDecimals),
    principal: formatUnits(loan.principal, market.borrowDecimals),
    accruedInterest: formatUnits(loan.interest, market.borrowDecimals),
    healthFactor: healthOf(rules, id, loan),
    trigger,
    term,
  }
}

/** Null: it is closed, or never matures. */
export function termedLoan({ chainTime }: BookRules, id: bigint, loan: LoanOnChain) {
  const term = isOpen(loan) ? termOf(loan, chainTime) : null
  if (!term) return null
  const { dueAt, effectiveDueAt, graceEnd, enforceable } = term
  return { ...named(id, loan), dueAt, effectiveDueAt, graceEnd, enforceable }
}

export function auctionedLoan(
  rules: BookRules,
  id: bigint,
  loan: LoanOnChain,
  auctions: ReadonlyMap<bigint, AuctionOnChain>,
  conditions: VenueConditions,
) {
  const found = [...auctions].find(([, auction]) => auction.isActive && auction.loanId === id)
  const shown = found && shownAuction(rules.market, found[0], found[1], conditions)
  return {
    ...named(id, loan),
    auctionId: shown?.auctionId ?? null,
    endTime: shown?.endTime ?? null,
    expired: shown?.expired ?? null,
    collateralRemaining: shown?.collateralRemaining ?? null,
    debtRemaining: shown?.debtRemaining ?? null,
    healthFactor: healthOf(rules, id, loan),
    reason: shown?.expired
      ? 'The auction has ended: settle it before the loan can be realized again.'
      : 'Collateral of the loan is being auctioned.',
  }
}
