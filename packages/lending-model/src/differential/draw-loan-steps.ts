import type { SeededRandom } from '@tallystick/testkit'
import { borrowable } from '../market/books.ts'
import { interestAt, realizationTermsOf } from '../market/loan-books.ts'
import { storedPrice } from '../market/oracle.ts'
import type { LendingState, Loan } from '../market/state.ts'
import { lessAtLeastZero } from '../rules/arithmetic.ts'
import { flatFeeDown } from '../rules/fees.ts'
import { capacityDown, collateralForClaimUp, healthFactorDown } from '../rules/health.ts'
import { around, pickEntry } from './amounts.ts'
import { borrowers } from './parties.ts'
import type { Step } from './steps.ts'

/** A step without its time. */
export type Drawn = { [Name in Step['name']]: Omit<Extract<Step, { name: Name }>, 'seconds'> }[Step['name']]

export interface Draw {
  random: SeededRandom
  state: LendingState
  /** The second in which the step will be mined. */
  now: bigint
}

const unknownLoan = 999n

function debtAt({ state, now }: Draw, loan: Loan): bigint {
  return loan.principal + interestAt(state, loan, now)
}

function anyLoan(draw: Draw, isPreferred: (loan: Loan) => boolean = (loan) => loan.status === 'ACTIVE') {
  return pickEntry(draw.random, draw.state.loans, isPreferred)
}

function caller({ random }: Draw, loan: Loan): string {
  return random.chance(0.97) ? loan.borrower : random.pick([...borrowers, 'stranger'])
}

export function drawOpenLoan(draw: Draw): Drawn {
  const { random, state } = draw
  const price = storedPrice(state)
  let wanted = random.bigint(
    state.config.minBorrowAmount,
    (borrowable(state) / 4n || 1n) + state.config.minBorrowAmount,
  )
  if (random.chance(0.05)) wanted = borrowable(state)
  const collateral = (collateralForClaimUp(wanted, 0n, price) * random.bigint(100n, 250n)) / 100n
  const capacity = capacityDown(collateral, price, state.config.collateralFactorBps)
  const amount = random.chance(0.6) ? wanted : around(random, capacity)
  return { name: 'openLoan', caller: random.pick(borrowers), args: { collateral, amount } }
}

export function drawBorrowMore(draw: Draw): Drawn {
  const [loanId, loan] = anyLoan(draw) ?? []
  if (!loanId || !loan) return drawOpenLoan(draw)
  const capacity = capacityDown(loan.collateral, storedPrice(draw.state), draw.state.config.collateralFactorBps)
  const amount = around(draw.random, lessAtLeastZero(capacity, debtAt(draw, loan)))
  return { name: 'borrowMore', caller: caller(draw, loan), args: { loanId, amount } }
}

export function drawRepay(draw: Draw): Drawn | undefined {
  const [loanId, loan] = anyLoan(draw, ({ status }) => status !== 'CLOSED') ?? []
  if (!loanId || !loan) return undefined
  const debt = debtAt(draw, loan)
  const interest = debt - loan.principal
  const closing = debt + flatFeeDown(draw.state.repayFee, debt)
  const amount = around(draw.random, draw.random.pick([debt, closing, closing, interest]))
  return { name: 'repay', caller: draw.random.pick([loan.borrower, 'stranger']), args: { loanId, amount } }
}

export function drawCloseLoan(draw: Draw): Drawn | undefined {
  const [loanId, loan] = anyLoan(draw, (known) => known.status === 'ACTIVE' && debtAt(draw, known) === 0n) ?? []
  if (!loanId || !loan) return undefined
  return { name: 'closeLoan', caller: caller(draw, loan), args: { loanId } }
}

export function drawAddCollateral(draw: Draw): Drawn {
  const [loanId, loan] = anyLoan(draw) ?? []
  if (!loanId || !loan) return drawOpenLoan(draw)
  const amount = around(draw.random, loan.collateral / 3n)
  return { name: 'addCollateral', caller: caller(draw, loan), args: { loanId, amount } }
}

export function drawWithdrawCollateral(draw: Draw): Drawn {
  const [loanId, loan] = anyLoan(draw) ?? []
  if (!loanId || !loan) return drawOpenLoan(draw)
  const { price, scale } = storedPrice(draw.state)
  const threshold = realizationTermsOf(draw.state, loan).liquidationThresholdBps
  const least = (debtAt(draw, loan) * 10_000n * scale) / (threshold * price) + 1n
  const amount = around(draw.random, lessAtLeastZero(loan.collateral, least))
  return { name: 'withdrawCollateral', caller: caller(draw, loan), args: { loanId, amount } }
}

export function drawLiquidate(draw: Draw): Drawn | undefined {
  const { state, now, random } = draw
  const isRealizable = (loan: Loan): boolean => {
    if (loan.status !== 'ACTIVE') return false
    if (loan.dueAt > 0n && now > loan.dueAt + loan.gracePeriod) return true
    const debt = debtAt(draw, loan)
    const { liquidationThresholdBps } = realizationTermsOf(state, loan)
    const health = healthFactorDown(loan.collateral, storedPrice(state), liquidationThresholdBps, debt)
    return health !== undefined && health < 10n ** 18n
  }
  const [loanId] = anyLoan(draw, isRealizable) ?? [random.chance(0.02) ? unknownLoan : undefined]
  if (!loanId) return undefined
  return { name: 'liquidate', caller: random.chance(0.98) ? 'liquidator' : 'stranger', args: { loanId } }
}
