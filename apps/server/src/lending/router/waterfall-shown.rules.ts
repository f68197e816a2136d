import { formatUnits } from '../../platform/amounts.rules.ts'
import type { RealizationBooks, Waterfall, WriteOff } from './waterfall.rules.ts'

type Draw = NonNullable<Waterfall['reserve']>

/** What the fund was asked for, and what it paid. */
export function shownReserve({ requested, covered }: Draw, decimals: number) {
  return {
    requested: formatUnits(requested, decimals),
    covered: formatUnits(covered, decimals),
    uncovered: formatUnits(requested - covered, decimals),
  }
}

function legsOf(flow: Waterfall | WriteOff, { claim, held }: RealizationBooks, decimals: number) {
  const amount = (raw: bigint) => formatUnits(raw, decimals)
  return {
    late: flow.late,
    cash: amount(flow.cash),
    proceedsHeld: amount(held),
    claim: amount(claim),
    toPool: amount(flow.toClaim),
    reserveReimbursed: amount(flow.toFund),
    penalty: amount(flow.penalty),
    debtApplied: amount(flow.debtApplied),
    writeOffRecovered: amount(flow.recovered + flow.lastPenalty),
    surplus: amount(flow.surplus),
  }
}

/** Never a promise: interest of an open loan runs on until it is mined. */
export function shownSettlement(flow: Waterfall, books: RealizationBooks, decimals: number) {
  return {
    ...legsOf(flow, books, decimals),
    shortfall: formatUnits(flow.shortfall, decimals),
    reserve: flow.reserve && shownReserve(flow.reserve, decimals),
  }
}

export function shownWriteOff(flow: WriteOff, books: RealizationBooks, decimals: number) {
  return {
    ...legsOf(flow, books, decimals),
    poolLoss: formatUnits(flow.poolLoss, decimals),
    reserve: shownReserve(flow.reserve, decimals),
  }
}

/** What borrowers got of a surplus, and what is kept for them. */
export function shownSurplus(
  surpluses: readonly { readonly kind: 'SURPLUS_RETURNED' | 'SURPLUS_ESCROWED'; readonly amount: bigint }[],
  cash: (raw: bigint) => string,
) {
  const sumOf = (kind: 'SURPLUS_RETURNED' | 'SURPLUS_ESCROWED') =>
    cash(surpluses.reduce((sum, one) => (one.kind === kind ? sum + one.amount : sum), 0n))
  return { returned: sumOf('SURPLUS_RETURNED'), escrowed: sumOf('SURPLUS_ESCROWED') }
}
