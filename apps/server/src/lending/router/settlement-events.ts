import { type Address, erc20Abi } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Effect, ReceiptLog } from '../../platform/chain/call-pair.ts'
import { eventFactOf, eventFacts } from '../../platform/chain/event-facts.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../market/market.store.ts'
import { shownReserve } from './waterfall-shown.rules.ts'

const facts = new Map(eventFacts('market', abis.market).map((fact) => [fact.eventName, fact]))

const transfers = eventFactOf('asset', erc20Abi, 'Transfer')

interface Told {
  readonly name: string
  readonly logIndex: number
  readonly effect: Effect
}

/** The events of these names that the market emitted, in order. */
function toldBy(market: Address, logs: readonly ReceiptLog[], names: readonly string[]): Told[] {
  return names
    .flatMap((name) =>
      (facts.get(name)?.settle(market, logs) ?? []).map(({ logIndex, effect }) => ({ name, logIndex, effect })),
    )
    .toSorted((a, b) => a.logIndex - b.logIndex)
}

const numberIn = (told: Told | undefined, name: string) => BigInt(String(told?.effect[name] ?? 0))
const endings = ['RealizationSettled', 'LateProceeds'] as const

/**
 * What the market booked between the router's own event and the end of the settlement. A transaction may settle several
 * liquidations, even of one loan, so only that stretch of its logs counts.
 */
function stretchOf(market: Address, logs: readonly ReceiptLog[], after: number, realizationId: string) {
  const end = toldBy(market, logs, endings).find(
    ({ logIndex, effect }) => logIndex > after && effect.realizationId === realizationId,
  )
  if (!end) throw new Error('a settled liquidation without a settlement in its market')
  const within = logs.filter(({ logIndex }) => logIndex > after && logIndex <= end.logIndex)
  return { end, within }
}

interface SettledLog {
  /** Where the router said that it settled. */
  readonly logIndex: number
  readonly realizationId: string
  readonly routerProceeds: bigint
  readonly claim: bigint
}

/** The settlement as the market booked it. */
export function bookedSettlement(market: Market, logs: readonly ReceiptLog[], settled: SettledLog) {
  const { end, within } = stretchOf(market.address, logs, settled.logIndex, settled.realizationId)
  const find = (name: string) => toldBy(market.address, within, [name])[0]
  const isLate = end.name === 'LateProceeds'
  const applied = numberIn(find('LiquidationDebtApplied'), 'amount')
  const drawn = find('ReserveDrawn')
  const surpluses = toldBy(market.address, within, ['SurplusReturned', 'SurplusEscrowed'])
  const cash = numberIn(end, 'proceeds')
  const penalty = numberIn(end, 'penalty')
  const recovered = numberIn(end, 'recovered')
  const surplus = surpluses.reduce((sum, one) => sum + numberIn(one, 'amount'), 0n)
  const toClaim = cash < settled.claim ? cash : settled.claim
  return {
    isLate,
    cash,
    routerProceeds: settled.routerProceeds,
    shortfall: isLate ? null : numberIn(end, 'shortfall'),
    penalty: isLate ? null : penalty,
    recovered: isLate ? null : recovered,
    applied,
    // The event of a first settlement leaves out what the fund got back: it is the one leg that is left.
    reimbursed: isLate ? numberIn(end, 'toFund') : cash - toClaim - penalty - applied - recovered - surplus,
    reserve: drawn ? { requested: numberIn(drawn, 'requested'), covered: numberIn(drawn, 'covered') } : null,
    surpluses: surpluses.map(({ name, effect }) => ({
      kind: name === 'SurplusReturned' ? ('SURPLUS_RETURNED' as const) : ('SURPLUS_ESCROWED' as const),
      loanId: String(effect.loanId),
      borrower: String(effect.borrower),
      amount: BigInt(String(effect.amount)),
    })),
  }
}

export type BookedSettlement = ReturnType<typeof bookedSettlement>

export function shownBooking(booked: BookedSettlement, marketLiquidationId: string, { borrowDecimals }: Market) {
  const amount = (raw: bigint) => formatUnits(raw, borrowDecimals)
  const orNull = (raw: bigint | null) => (raw === null ? null : amount(raw))
  return {
    marketLiquidationId,
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
export function bookedDraw({ address }: Market, logs: readonly ReceiptLog[], realizationId: string) {
  const drawn = toldBy(address, logs, ['ReserveDrawn']).find(({ effect }) => effect.realizationId === realizationId)
  return drawn ? { requested: numberIn(drawn, 'requested'), covered: numberIn(drawn, 'covered') } : null
}

/** What the last call itself brought: the asset moves to the router right before the router says that it settled. */
export function finalLeg({ borrowAsset, router }: Market, logs: readonly ReceiptLog[], settledAt: number): bigint {
  const before = logs.filter(({ logIndex }) => logIndex < settledAt)
  const last = before.findLastIndex(({ address }) => address !== borrowAsset)
  const moved = transfers.settle(borrowAsset, before.slice(last + 1))
  const brought = moved.findLast(({ effect }) => effect.to === router)
  return BigInt(String(brought?.effect.value ?? 0))
}
