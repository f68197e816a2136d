import type { DemoMarket } from '../demo-world.ts'
import { ofLiquidations, type Stage } from './market-stage.ts'

interface LoanBook {
  readonly price: string
  readonly liquidatableLoans: readonly { readonly loanId: string }[]
  readonly termedLoans: readonly { readonly loanId: string; readonly effectiveDueAt: number }[]
  readonly auctionedLoans: readonly { readonly loanId: string }[]
}

/** A market, as the keeper finds it. */
export interface KeptMarket {
  /** The lender's record. */
  readonly marketId: string
  readonly market: DemoMarket
  readonly book: LoanBook
}

/** What can be realized, what falls due when, and what is in auction. */
export const readLoanBook = ({ lender }: Stage, marketId: string): Promise<LoanBook> =>
  lender.call<LoanBook>('GET', ofLiquidations(marketId, '/liquidatable-loans'))
