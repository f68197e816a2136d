import { eventually } from '../patience.ts'
import { fallenPrice, type MarketPlan, startsDueSoon, usualTermDays } from './market-plan.ts'
import { ofLiquidations, ofMarket, ofPositions, type Stage } from './market-stage.ts'

/** How many loans there ever were. */
export async function loansOpened({ lender }: Stage, marketId: string): Promise<number> {
  const { totalLoansCreated } = await lender.call<{ totalLoansCreated: string }>('GET', ofMarket(marketId, '/metrics'))
  return Number(totalLoansCreated)
}

/** Those of the plan that are still missing, in its order, so that every loan has the number of its place. */
export async function openLoans(stage: Stage, marketId: string, plan: MarketPlan): Promise<void> {
  const { lender, borrower, act, actTogether } = stage
  const bodies = plan.loans.map(({ collateralAmount, borrowAmount }) => ({
    ...{ collateralAmount, borrowAmount, borrowerAddress: borrower.address },
  }))
  const opened = await loansOpened(stage, marketId)
  const open = (some: typeof bodies) =>
    actTogether(lender.call, { path: ofPositions(marketId, '/open-loan'), bodies: some, by: borrower })
  if (opened === 0) await open(bodies.slice(0, 1))
  if (opened < 2 && startsDueSoon(plan)) {
    const body = { maxLoanDurationDays: usualTermDays }
    await act(lender.call, ofMarket(marketId, '/term-config'), { body, by: lender.account })
  }
  const later = bodies.slice(Math.max(opened, 1))
  if (later.length > 0) await open(later)
}

export async function pushPrice({ lender, act }: Stage, marketId: string, price: string): Promise<void> {
  await act(lender.call, ofMarket(marketId, '/sync-oracle'), { body: { price }, by: lender.account })
}

export const letPriceFall = (stage: Stage, marketId: string): Promise<void> => pushPrice(stage, marketId, fallenPrice)

/** The name of the seizure as `demo.json` has it. */
export async function seize({ lender, act }: Stage, marketId: string, loanId: number): Promise<string> {
  const path = ofLiquidations(marketId, `/liquidate/${loanId}`)
  const body = { signerAddress: lender.account.address }
  const { liquidationId } = await act<{ liquidationId: string }>(lender.call, path, { body, by: lender.account })
  return liquidationId
}

interface Listed {
  readonly loanId: string
  readonly liquidationId: string | null
}

/** The newest seizure of a loan, pending before settled; undefined: there was none. */
export async function newestSeizure({ lender }: Stage, marketId: string, loanId: number): Promise<string | undefined> {
  // A seizure that was mined before a crash must not be made again only because the record does not know it yet.
  const pendingLiquidations = await eventually(async () => {
    const pending = await lender.call<{ pendingLiquidations: Listed[]; unrecorded: number | null }>(
      'GET',
      ofLiquidations(marketId, '/pending-liquidations'),
    )
    return pending.unrecorded === 0 ? pending.pendingLiquidations : undefined
  })
  const { settledLiquidations } = await lender.call<{ settledLiquidations: Listed[] }>(
    'GET',
    ofLiquidations(marketId, '/settled-liquidations'),
  )
  const rows = [...pendingLiquidations, ...settledLiquidations]
  return rows.find((row) => row.loanId === String(loanId))?.liquidationId ?? undefined
}
