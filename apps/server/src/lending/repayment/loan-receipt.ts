import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Effect, ReceiptLog } from '../../platform/chain/call-pair.ts'
import type { Market } from '../core/index.rules.ts'
import { eventsOf } from '../core/index.ts'
import { CLAIM_ACTION, wasEscrowed } from '../loans/index.ts'

type LoanEvent = 'LoanRepaid' | 'RepayFeeCharged' | 'LoanClosed'

/** What the market said about one loan in a transaction, which may hold several calls. */
const told = ({ address }: Market, loanId: string, eventName: LoanEvent, logs: readonly ReceiptLog[]): Effect[] =>
  eventsOf('market', address, logs)
    .filter(({ name, effect }) => name === eventName && effect.loanId === loanId)
    .map(({ effect }) => effect)

const sum = (effects: readonly Effect[], name: string) =>
  effects.reduce((total, effect) => total + BigInt(String(effect[name])), 0n)

/** What was paid on a loan. */
export function paidIn(market: Market, loanId: string, logs: readonly ReceiptLog[]) {
  const repaid = told(market, loanId, 'LoanRepaid', logs)
  const principal = sum(repaid, 'principal')
  const interest = sum(repaid, 'interest')
  const amount = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
  return {
    repaidAmount: amount(principal + interest),
    principalPaid: amount(principal),
    interestPaid: amount(interest),
    fee: amount(sum(told(market, loanId, 'RepayFeeCharged', logs), 'fee')),
  }
}

/** What became of the collateral of a loan, if the transaction closed it. */
export function returnedIn(market: Market, loanId: string, logs: readonly ReceiptLog[]) {
  const [closed] = told(market, loanId, 'LoanClosed', logs)
  const escrowed = closed !== undefined && wasEscrowed(market, loanId, logs)
  return {
    collateralReturned: closed
      ? formatUnits(BigInt(String(closed.collateralReturned)), market.collateralDecimals)
      : null,
    collateralReturnEscrowed: escrowed,
    claimAction: escrowed ? CLAIM_ACTION : null,
  }
}
