import { type Address, erc20Abi } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import { eventsOf } from '../../platform/chain/typed-call.ts'
import type { Market } from '../core/index.rules.ts'
import { eventsAt } from '../core/index.ts'
import { shownReserve } from './waterfall-shown.rules.ts'

const settlements = eventsAt('market', 'RealizationSettled')
const lateProceeds = eventsAt('market', 'LateProceeds')
const appliedDebts = eventsAt('market', 'LiquidationDebtApplied')
const draws = eventsAt('market', 'ReserveDrawn')
const returned = eventsAt('market', 'SurplusReturned')
const escrowed = eventsAt('market', 'SurplusEscrowed')
const transfers = eventsOf(erc20Abi, 'Transfer')

/** What borrowers got of the cash, or what is kept for them, in order. */
export function surplusesIn(market: Address, logs: readonly ReceiptLog[]) {
  const surpluses = [
    ...returned(market, logs).map((one) => ({ ...one, kind: 'SURPLUS_RETURNED' as const })),
    ...escrowed(market, logs).map((one) => ({ ...one, kind: 'SURPLUS_ESCROWED' as const })),
  ].toSorted((a, b) => a.logIndex - b.logIndex)
  return surpluses.map(({ kind, effect: { loanId, borrower, amount } }) => ({
    ...{ kind, loanId: loanId.toString(), borrower, amount },
  }))
}

/** The end of a settlement: the first one of the record, or cash that came after it. */
function endOf(market: Address, logs: readonly ReceiptLog[], after: number, realizationId: bigint) {
  const isOurs = (one: { logIndex: number; effect: { realizationId: bigint } }) =>
    one.logIndex > after && one.effect.realizationId === realizationId
  const first = settlements(market, logs).find(isOurs)
  const late = lateProceeds(market, logs).find(isOurs)
  if (first && !(late && late.logIndex < first.logIndex)) return { isLate: false as const, ...first }
  if (late) return { isLate: true as const, ...late }
  throw new Error('a settled liquidation without a settlement in its market')
}

interface SettledLog {
  /** Where the router said that it settled. */
  readonly logIndex: number
  readonly realizationId: bigint
  readonly routerProceeds: bigint
  readonly claim: bigint
}

/**
 * The settlement as the market booked it, between the router's own event and the end of the settlement. A transaction may settle several
 * liquidations, even of one loan, so only that stretch of its logs counts.
 */
export function bookedSettlement({ address }: Market, logs: readonly ReceiptLog[], settled: SettledLog) {
  const end = endOf(address, logs, settled.logIndex, settled.realizationId)
  const within = logs.filter(({ logIndex }) => logIndex > settled.logIndex && logIndex <= end.logIndex)
  const applied = appliedDebts(address, within)[0]?.effect.amount ?? 0n
  const drawn = draws(address, within)[0]?.effect
  const surpluses = surplusesIn(address, within)
  const cash = end.effect.proceeds
  const base = {
    cash,
    routerProceeds: settled.routerProceeds,
    applied,
    reserve: drawn ? { requested: drawn.requested, covered: drawn.covered } : null,
    surpluses,
  }
  if (end.isLate)
    return { ...base, isLate: true, shortfall: null, penalty: null, recovered: null, reimbursed: end.effect.toFund }
  const { shortfall, penalty, recovered } = end.effect
  const surplus = surpluses.reduce((sum, { amount }) => sum + amount, 0n)
  const toClaim = cash < settled.claim ? cash : settled.claim
  // The event of a first settlement leaves out what the fund got back: it is the one leg that is left.
  const reimbursed = cash - toClaim - penalty - applied - recovered - surplus
  return { ...base, isLate: false, shortfall, penalty, recovered, reimbursed }
}

export type BookedSettlement = ReturnType<typeof bookedSettlement>

export function shownBooking(booked: BookedSettlement, realizationId: bigint, { borrowDecimals }: Market) {
  const amount = (raw: bigint) => formatUnits(raw, borrowDecimals)
  const orNull = (raw: bigint | null) => (raw === null ? null : amount(raw))
  return {
    marketLiquidationId: realizationId.toString(),
    proceedsReceived: amount(booked.cash),
    routerProceeds: amount(booked.routerProceeds),
    shortfall: orNull(booked.shortfall),
    penalty: orNull(booked.penalty),
    debtApplied: amount(booked.applied),
    writeOffRecovered: orNull(booked.recovered),
    reserve: booked.reserve && shownReserve(booked.reserve, borrowDecimals),
    reserveReimbursed: amount(booked.reimbursed),
    late: booked.isLate,
  }
}

/** What the fund was asked for on a write-off, and what it paid; null: nobody asked. */
export function bookedDraw({ address }: Market, logs: readonly ReceiptLog[], realizationId: bigint) {
  return draws(address, logs).find(({ effect }) => effect.realizationId === realizationId)?.effect ?? null
}

/** What the last call itself brought: the asset moves to the router right before the router says that it settled. */
export function finalLeg({ borrowAsset, router }: Market, logs: readonly ReceiptLog[], settledAt: number): bigint {
  const before = logs.filter(({ logIndex }) => logIndex < settledAt)
  const last = before.findLastIndex(({ address }) => address !== borrowAsset)
  const moved = transfers(borrowAsset, before.slice(last + 1))
  return moved.findLast(({ effect }) => effect.to === router)?.effect.value ?? 0n
}
