import { createHash } from 'node:crypto'
import type { LoanEvent } from './loan-events.rules.ts'

/** What stands after a step. In smallest units. */
interface Balance {
  readonly principal: bigint
  readonly collateral: bigint
}

interface StatementLine extends Balance {
  readonly text: string
  /** What moved; null: nothing of this token. */
  readonly asset: bigint | null
  readonly pledged: bigint | null
  readonly txHash: string
  readonly blockTime: number
}

/** All steps together. */
interface StatementTotals {
  readonly drawn: bigint
  readonly principalRepaid: bigint
  readonly interestRepaid: bigint
  readonly fees: bigint
  readonly claimed: bigint
  readonly seized: bigint
  readonly surplus: bigint
}

interface Step extends Partial<Balance> {
  readonly text: string
  readonly asset?: bigint
  readonly pledged?: bigint
}

const figure = ({ effect }: LoanEvent, name: string) => BigInt(effect[name] ?? '0')
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const day = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().slice(0, 10)

/** A seizure discharges interest first. One that closes the loan leaves nothing of it. */
function afterSeizure(event: LoanEvent, { principal, collateral, isClosed }: Before): Balance {
  const claim = figure(event, 'claim')
  const interest = figure(event, 'totalDebt') - principal
  if (isClosed) return { principal: 0n, collateral: 0n }
  return {
    principal: principal - (claim - smaller(claim, interest)),
    collateral: collateral - figure(event, 'collateral'),
  }
}

/** What the steps before have left. */
interface Before extends Balance {
  readonly isClosed: boolean
  /** The last event that seized something. */
  readonly seizure: LoanEvent | undefined
}

type Teller = (event: LoanEvent, before: Before) => Step

const amount = (event: LoanEvent) => figure(event, 'amount')

/** How each event of a loan reads, and what it changes. Events without a line of their own are told by another one. */
const tellers: Readonly<Record<string, Teller>> = {
  'market.LoanOpened': (event) => ({
    text: 'Loan opened, collateral pledged',
    asset: figure(event, 'principal'),
    pledged: figure(event, 'collateral'),
    principal: figure(event, 'principal'),
    collateral: figure(event, 'collateral'),
  }),
  'market.LoanPayeeSet': ({ effect }) => ({ text: `Paid out to ${effect.payee}` }),
  'market.LoanIncreased': (event) => ({
    text: 'Drawn',
    asset: amount(event),
    principal: figure(event, 'principal'),
  }),
  'market.OpenFeeCharged': (event) => ({ text: 'Fee on the draw, kept from the payout', asset: figure(event, 'fee') }),
  'market.LoanRepaid': (event, { principal }) => ({
    text: figure(event, 'interest') === 0n ? 'Repaid' : 'Repaid, interest first',
    asset: figure(event, 'principal') + figure(event, 'interest'),
    principal: principal - figure(event, 'principal'),
  }),
  'market.RepayFeeCharged': (event) => ({ text: 'Fee on the repayment', asset: figure(event, 'fee') }),
  'market.CollateralAdded': (event) => ({
    text: 'Collateral added',
    pledged: amount(event),
    collateral: figure(event, 'total'),
  }),
  'market.CollateralWithdrawn': (event) => ({
    text: 'Collateral withdrawn',
    pledged: amount(event),
    collateral: figure(event, 'total'),
  }),
  'market.CollateralSplit': (event) => ({
    text: 'Shares were split: the collateral grew with them',
    pledged: amount(event) - figure(event, 'before'),
    collateral: amount(event),
  }),
  'market.CollateralMissing': (event, { collateral, seizure }) => {
    const missing = figure(event, 'expected') - figure(event, 'found')
    // Behind a seizure only its delivery was short: what is left of the pledge is untouched.
    const isDelivery = seizure?.txHash === event.txHash && figure(seizure, 'collateral') === figure(event, 'expected')
    return isDelivery
      ? { text: 'Less collateral arrived than was seized', pledged: missing }
      : { text: 'Collateral was missing', pledged: missing, collateral: collateral - missing }
  },
  'market.LoanClosed': (event) => ({
    text: 'Loan closed, collateral released',
    pledged: figure(event, 'collateralReturned'),
    principal: 0n,
    collateral: 0n,
  }),
  'market.LoanRebound': ({ effect }) => ({ text: `Moved to the wallet ${effect.newWallet}` }),
  'market.LoanLiquidated': (event, before) => ({
    text: figure(event, 'claim') === 0n ? 'Nothing left to seize' : 'Collateral seized for a part of the debt',
    asset: figure(event, 'claim'),
    pledged: figure(event, 'collateral'),
    ...afterSeizure(event, before),
  }),
  'market.WrittenOffAtSeizure': (event) => ({ text: 'Written off at the seizure', asset: amount(event) }),
  'market.RealizationSettled': (event) => ({ text: 'Sale settled', asset: figure(event, 'proceeds') }),
  'market.LateProceeds': (event) => ({ text: 'Late proceeds of a sale', asset: figure(event, 'proceeds') }),
  'market.RealizationWrittenOff': (event) => ({ text: 'Claim written off', asset: figure(event, 'claim') }),
  'market.LiquidationDebtApplied': (event, { principal }) => ({
    text: 'Proceeds beyond the claim paid down the loan',
    asset: amount(event),
    principal: principal - smaller(amount(event), principal),
  }),
  'market.SurplusReturned': (event) => ({ text: 'Surplus paid to the borrower', asset: amount(event) }),
  'market.SurplusEscrowed': (event) => ({ text: 'Surplus kept for the borrower', asset: amount(event) }),
  'market.ExtensionApplied': (event) => ({ text: `Maturity moved to ${day(figure(event, 'newDueAt'))}` }),
  'custodyAdapter.CollateralEscrowed': (event) => ({
    text: 'The token refused the return: kept in escrow',
    pledged: amount(event),
  }),
}

/** The steps of a loan with the balance after each of them, from its events in the order they happened. */
export function statementOf(events: readonly LoanEvent[]): { lines: StatementLine[]; totals: StatementTotals } {
  const lines: StatementLine[] = []
  let balance: Balance = { principal: 0n, collateral: 0n }
  let isClosed = false
  let seizure: LoanEvent | undefined
  for (const event of events) {
    isClosed ||= event.operation === 'market.LoanClosed'
    const step = tellers[event.operation]?.(event, { ...balance, isClosed, seizure })
    if (event.operation === 'market.LoanLiquidated') seizure = event
    if (!step) continue
    balance = {
      principal: step.principal ?? balance.principal,
      collateral: step.collateral ?? balance.collateral,
    }
    const { txHash, blockTime } = event
    lines.push({
      text: step.text,
      asset: step.asset ?? null,
      pledged: step.pledged ?? null,
      ...balance,
      txHash,
      blockTime,
    })
  }
  const sum = (name: string, ...operations: string[]) =>
    events
      .filter(({ operation }) => operations.includes(operation))
      .reduce((total, event) => total + figure(event, name), 0n)
  const totals = {
    drawn: sum('principal', 'market.LoanOpened') + sum('amount', 'market.LoanIncreased'),
    principalRepaid: sum('principal', 'market.LoanRepaid'),
    interestRepaid: sum('interest', 'market.LoanRepaid'),
    fees: sum('fee', 'market.OpenFeeCharged', 'market.RepayFeeCharged'),
    claimed: sum('claim', 'market.LoanLiquidated'),
    seized: sum('collateral', 'market.LoanLiquidated'),
    surplus: sum('amount', 'market.SurplusReturned', 'market.SurplusEscrowed'),
  }
  return { lines, totals }
}

/** The same transactions of the same loan always give the same reference. */
export function statementReference(market: string, loanId: string, events: readonly LoanEvent[]): string {
  const hashes = [...new Set(events.map(({ txHash }) => txHash.toLowerCase()))].sort()
  return createHash('sha256')
    .update([market, loanId, ...hashes].join('\n'))
    .digest('hex')
}

/** A file that says what it is: of which collateral, which loan, and up to when. */
export function statementName(symbol: string, loanId: string, until: number): string {
  const letters = symbol.replace(/[^A-Za-z0-9]/g, '').slice(0, 12)
  return `Loan-Statement_${letters || 'MARKET'}_${loanId}_${day(BigInt(until))}.pdf`
}
