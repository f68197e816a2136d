import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { shownAuction } from '../auctions/index.rules.ts'
import { readVenueState } from '../auctions/index.ts'
import type { DeployedRecord } from '../core/index.ts'
import { debtOf, healthFactorDown, shownHealth, statusOf, termOf } from '../loans/index.rules.ts'
import { answered, freshPriceReads, loanRead, loanTermsRead, realizationTermsOf, requireLoan } from '../loans/index.ts'
import type { SignedPrice } from '../oracle/index.rules.ts'
import { findLoanHistory, type LoanHistory } from './loans.store.ts'
import { readReadiness } from './readiness.service.ts'
import { pledgeReads } from './seizure.reads.ts'

const noHistory: LoanHistory = { borrower: null, minBorrowAtOpening: null }

interface Wanted {
  readonly chain: Chain
  readonly tenant: TenantDatabase
  readonly record: DeployedRecord
  readonly loanId: bigint
  /** Who will sign; null: whoever of the instance may. */
  readonly named: Address | null
  readonly signed: SignedPrice
}

/** How a loan and its market stand for a seizure. The pledge is looked for at who borrowed it; our record knows who, in all but a few cases. */
export async function readSituation(
  { chain, tenant, record, loanId, named, signed }: Wanted,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'LOAN_NOT_FOUND'>,
) {
  const { market } = record
  const [history = noHistory] = await tenant.read((sql) =>
    findLoanHistory(sql, market.chainId, market.address, loanId.toString()),
  )
  async function ask(holder: Address | null) {
    const found = await readReadiness(chain, record, named, {
      loan: loanRead(market, loanId),
      terms: loanTermsRead(market, loanId),
      ...freshPriceReads(market, signed),
      pledge: pledgeReads(market, holder),
    })
    return { ...found, loan: requireLoan(found.more.loan, refuse) }
  }
  const first = await ask(history.borrower)
  const borrower = first.loan.borrower.toLowerCase() as Address
  const found = borrower === history.borrower ? first : await ask(borrower)
  const { config } = found.state
  const terms = realizationTermsOf(answered(found.more.terms), config)
  const minBorrowAtOpening =
    history.minBorrowAtOpening === null ? config.minBorrowAmount : BigInt(history.minBorrowAtOpening)
  return { ...found, record, loanId, terms, minBorrowAtOpening, chainTime: found.block.time }
}

export type Situation = Awaited<ReturnType<typeof readSituation>>

/** The loan that a refusal is about. */
export function refusedLoan({ record, loanId, loan, state, terms, chainTime }: Situation, price = state.price) {
  const { collateralDecimals } = record.market
  const threshold = BigInt(terms.liquidationThresholdBps)
  const isClosed = statusOf(loan) === 'CLOSED'
  return {
    loanId: loanId.toString(),
    active: !isClosed,
    healthFactor: isClosed
      ? null
      : shownHealth(healthFactorDown(loan.collateral, price, collateralDecimals, threshold, debtOf(loan))),
    healthFactorThreshold: '1' as const,
    borrower: loan.borrower.toLowerCase(),
    term: termOf(loan, chainTime),
  }
}

async function openAuctionOf(chain: Chain, { record: { market }, loanId, readiness }: Situation) {
  const wanted = { venue: readiness.auctionVenue, ids: [], loanId }
  const { venue, ofLoan, auctions, conditions } = await readVenueState(chain, market, wanted, (found) =>
    found.ofLoan === 0n || found.auctions.has(found.ofLoan) ? null : [found.ofLoan],
  )
  const open = auctions.get(ofLoan)
  return open && venue ? { ...shownAuction(market, ofLoan, open, conditions), venueAddress: venue } : null
}

/** A loan that nobody else is realizing, on a market that could take its collateral. */
export async function requireSeizable(
  chain: Chain,
  situation: Situation,
  refuse: Refuse<'LOAN_NOT_ACTIVE' | 'LOAN_IN_AUCTION' | 'AUCTION_VENUE_NOT_ADMITTED' | 'LIQUIDATION_NOT_READY'>,
): Promise<void> {
  const { loan, readiness } = situation
  const status = statusOf(loan)
  if (status === 'CLOSED') throw refuse('LOAN_NOT_ACTIVE', { extra: { readiness, loan: refusedLoan(situation) } })
  if (status === 'IN_AUCTION') {
    const auction = await openAuctionOf(chain, situation)
    throw refuse('LOAN_IN_AUCTION', { extra: { readiness, loan: { ...refusedLoan(situation), auction } } })
  }
  if (readiness.dutchAuctionEnabled) {
    if (!readiness.auctionVenueAdmitted) throw refuse('AUCTION_VENUE_NOT_ADMITTED', { extra: { readiness } })
  } else if (!readiness.routerAuthorized || !readiness.routerTokenEligible) {
    throw refuse('LIQUIDATION_NOT_READY', { extra: { readiness } })
  }
}
