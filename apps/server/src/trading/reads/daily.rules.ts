import { formatUnits } from '../../platform/amounts.rules.ts'
import type { DayView } from './tape.store.ts'

const DAYS = { '1W': 7, '1M': 30, '3M': 90, '6M': 180, '1Y': 365 } as const
export type Range = keyof typeof DAYS

const DAY_MS = 86_400_000
/** The interface wants numbers here: the nearest one to the exact decimal. */
const asNumber = (units: bigint): number => Number(formatUnits(units, 6))
const orNull = (units: bigint | null) => (units === null ? null : asNumber(units))

/** The UTC days of a range, today included, oldest first. */
export function daysOf(range: Range, now: Date): string[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return Array.from({ length: DAYS[range] }, (_, index) =>
    new Date(today - (DAYS[range] - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
}

const emptyDay = (day: string): DayView => ({
  day,
  orderCount: 0,
  tradeCount: 0,
  volumeBase: 0n,
  volumeQuote: 0n,
  high: null,
  low: null,
  open: null,
  close: null,
})

/**
 * Every day of the range, oldest first. When more orders or trades lie behind it than the ceiling allows, the oldest whole days are
 * left out; the newest day with any stays, however much it holds.
 */
export function dailyStats(days: readonly string[], found: readonly DayView[], ceiling: number) {
  const byDay = new Map(found.map((day) => [day.day, day]))
  const all = days.map((day) => byDay.get(day) ?? emptyDay(day))
  let [orders, trades, kept] = [0, 0, all.length]
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const day = all[index] ?? emptyDay('')
    const isFirst = orders === 0 && trades === 0
    orders += day.orderCount
    trades += day.tradeCount
    if (!isFirst && (orders > ceiling || trades > ceiling)) break
    kept = index
  }
  const shown = all.slice(kept)
  return {
    stats: shown.map((day) => ({
      date: day.day,
      orderCount: day.orderCount,
      tradeCount: day.tradeCount,
      volumeBase: asNumber(day.volumeBase),
      volumeQuote: asNumber(day.volumeQuote),
      priceHigh: orNull(day.high),
      priceLow: orNull(day.low),
      priceOpen: orNull(day.open),
      priceClose: orNull(day.close),
    })),
    truncated: kept > 0,
    totals: totalsOf(shown),
  }
}

function totalsOf(days: readonly DayView[]) {
  const sum = (of: (day: DayView) => bigint) => days.reduce((total, day) => total + of(day), 0n)
  return {
    orderCount: days.reduce((total, { orderCount }) => total + orderCount, 0),
    tradeCount: days.reduce((total, { tradeCount }) => total + tradeCount, 0),
    volumeBase: asNumber(sum(({ volumeBase }) => volumeBase)),
    volumeQuote: asNumber(sum(({ volumeQuote }) => volumeQuote)),
  }
}
