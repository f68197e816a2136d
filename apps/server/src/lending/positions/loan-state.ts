import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { type LoanOnChain, statusOf } from '../loans/index.rules.ts'
import { answered, loanRead, loanTermsRead, realizationTermsOf } from '../loans/index.ts'
import { type BoundedResults, bounded, readBounded } from './bounded-reads.ts'
import type { ComplianceAnswers, Pledge } from './compliance.rules.ts'
import { complianceReads } from './compliance-questions.ts'
import type { Measure } from './shown-loan.rules.ts'

const priceRead = ({ oracle }: Market) => contractRead(oracle, abis.oracle, 'price', [])
const configRead = ({ address }: Market) => contractRead(address, abis.market, 'config', [])

const stateReads = (market: Market, loanId: bigint, holder: Address) =>
  ({
    loan: bounded(loanRead(market, loanId), 11),
    terms: bounded(loanTermsRead(market, loanId), 2),
    price: bounded(priceRead(market)),
    config: bounded(configRead(market), 12),
    arrears: bounded(contractRead(market.address, abis.market, 'arrearsOf', [loanId]), 2),
    surplus: bounded(contractRead(market.address, abis.market, 'surplusOf', [holder])),
  }) as const

type StateAnswers = BoundedResults<ReturnType<typeof stateReads>>

function requireState({ loan, terms, price, config, arrears, surplus }: StateAnswers, block: Block) {
  if (!loan || price === null || !config || !arrears || surplus === null) throw new AppError('LOAN_STATE_UNAVAILABLE')
  const measure: Measure = { price, ...realizationTermsOf(terms, config), chainTime: block.time }
  return { loan: loan as LoanOnChain, measure, arrears, surplus }
}

/**
 * A loan and what its token says about the holder, at one block in one round trip: our record tells whom to ask about.
 * Only when the chain knows better, because the record is behind, it is asked again.
 */
export async function readLoanState(chain: Chain, market: Market, loanId: bigint, guess: Pledge) {
  const ask = (pledge: Pledge) =>
    readBounded(chain, { ...stateReads(market, loanId, pledge.holder), ...complianceReads(market, pledge) })
  let pledge = guess
  let { block, results } = await ask(pledge)
  let state = requireState(results, block)
  const holder = state.loan.borrower.toLowerCase() as Address
  const isGuessed = holder === guess.holder && (market.mode === 'FREEZE' || state.loan.collateral === guess.amount)
  if (!isGuessed && statusOf(state.loan) !== 'NONE') {
    pledge = { holder, amount: state.loan.collateral }
    ;({ block, results } = await ask(pledge))
    state = requireState(results, block)
  }
  const { escrow = 0n, ...answers } = results as ComplianceAnswers & { escrow?: bigint | null }
  // Our own adapter: when it does not answer, nothing that follows would be true.
  if (escrow === null) throw new AppError('LOAN_STATE_UNAVAILABLE')
  return { block, ...state, judged: { pledge, answers, escrow, chainTime: block.time } }
}

/** Loans of one market at one block, in one multicall. */
export async function readLoans(chain: Chain, market: Market, loanIds: readonly bigint[]) {
  const { block, results } = await readNamed(chain, {
    price: priceRead(market),
    config: configRead(market),
    loans: loanIds.map((loanId) => loanRead(market, loanId)),
    terms: loanIds.map((loanId) => loanTermsRead(market, loanId)),
  })
  const { price, config } = results
  if (!price.ok || !config.ok) throw new AppError('LOAN_STATE_UNAVAILABLE')
  const loans = new Map<bigint, LoanOnChain>()
  for (const [index, loanId] of loanIds.entries()) {
    const loan = results.loans[index]
    if (!loan?.ok) throw new AppError('LOAN_STATE_UNAVAILABLE')
    loans.set(loanId, loan.value)
  }
  const measureOf = (loanId: bigint): Measure => ({
    price: price.value,
    ...realizationTermsOf(answered(results.terms[loanIds.indexOf(loanId)]), config.value),
    chainTime: block.time,
  })
  return { block, measureOf, loans }
}
