import type { TravellingClock } from '../travelling-clock.ts'
import { ensureLedger } from './funds.ts'
import { type Placed, requirePlaced } from './place-orders.ts'
import { keepReference } from './references.ts'
import { otherSide, otherTrader, priceAt, type TraderName, unitsOf } from './trading-plan.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Coarse at first, fine on the last day: a chart of days and one of minutes both have something to show. */
const LENGTH = { coarse: 20 * DAY_MS, fine: DAY_MS }
const EVERY = { coarse: 8 * HOUR_MS, fine: HOUR_MS }
/** Prices stay within the band of the book. */
const FARTHEST_BPS = 1_400

interface Step {
  readonly at: Date
  /** What was paid, in basis points from the price of the book, in the order of the trades. */
  readonly bps: readonly number[]
}

const jitter = (index: number, of: number) => ((index * 7_919 + of * 104_729) % 101) / 101 - 0.5

/** The same every time: two slow waves, a fast one and steps that look like chance. It ends at the price of the book. */
function middleAt(left: number): number {
  const moved = 700 * Math.sin(left / 23) + 300 * Math.sin(left / 7.3) + 160 * jitter(left, 1)
  return Math.round(Math.max(-FARTHEST_BPS, Math.min(FARTHEST_BPS, moved * Math.min(1, left / 12))))
}

/** Four trades each: from where the last one closed, over a high and a low, to where the next begins. */
export function pastUntil(now: Date): readonly Step[] {
  const { coarse, fine } = LENGTH
  const moments: number[] = []
  for (let back = fine + coarse; back > fine; back -= EVERY.coarse) moments.push(back)
  for (let back = fine; back > 0; back -= EVERY.fine) moments.push(back)
  return moments.map((back, index) => {
    const left = moments.length - index
    const [open, close] = [middleAt(left), middleAt(left - 1)]
    const reach = Math.round(30 + 60 * (jitter(left, 2) + 0.5))
    const [high, low] = [Math.max(open, close) + reach, Math.min(open, close) - reach]
    return {
      at: new Date(now.getTime() - back),
      bps: close > open ? [open, low, high, close] : [open, high, low, close],
    }
  })
}

export const pastTrades = pastUntil(new Date(0)).reduce((sum, { bps }) => sum + bps.length, 0)

/** Each trade is two orders with names: they may be asked for again, and a start that was killed goes on where it was. */
function ordersOf({ plan, id }: DemoBook, { bps }: Step, index: number): readonly Record<string, unknown>[] {
  return bps.flatMap((away, at) => {
    const maker: TraderName = (index + at) % 2 === 0 ? 'trader' : 'borrower'
    const side = at % 2 === 0 ? 'SELL' : 'BUY'
    const quantity = unitsOf(1 + Math.round(11 * (jitter(index, at) + 0.5))).toString()
    const terms = { orderType: 'LIMIT', price: priceAt(plan, away).toString(), quantity }
    const name = `${index + 1}.${at + 1} of the past of ${id}`
    return [
      { ...terms, customerRef: maker, side, clientOrderId: `maker ${name}` },
      {
        ...{ ...terms, customerRef: otherTrader(maker), side: otherSide(side), timeInForce: 'IOC' },
        clientOrderId: `taker ${name}`,
      },
    ]
  })
}

async function place({ issuer }: TradingStage, book: DemoBook, orders: readonly Record<string, unknown>[]) {
  const body = { orderBookId: book.id, orders }
  const { results } = await issuer.call<{ results: Placed[] }>('POST', `${book.prefix}/orders/batch`, body)
  requirePlaced(results)
}

interface Tape {
  readonly total: number
  readonly trades: readonly { readonly createdAt: string }[]
}

/** Whether nobody has traded yet, or a start was killed while it made the past. */
async function isMissing({ issuer }: TradingStage, { path }: DemoBook, began: Date): Promise<boolean> {
  const newest = await issuer.call<Tape>('GET', `${path}/trades?limit=1`)
  if (newest.total === 0) return true
  if (newest.total >= pastTrades) return false
  const oldest = await issuer.call<Tape>('GET', `${path}/trades?limit=1&offset=${newest.total - 1}`)
  return Date.parse(oldest.trades[0]?.createdAt ?? '') < began.getTime() + DAY_MS
}

/** Weeks of trades on a book of the ledger, made by the customers themselves while its clock is back there. */
export async function ensurePast(stage: TradingStage, book: DemoBook, clock: TravellingClock): Promise<void> {
  const steps = pastUntil(clock.now())
  const began = steps[0]?.at ?? clock.now()
  if (!(await isMissing(stage, book, began))) return
  // Of the present: then it is fresh all the way.
  await keepReference(stage, book)
  try {
    clock.travelTo(new Date(began.getTime() - HOUR_MS))
    await ensureLedger(stage, book)
    for (const [index, step] of steps.entries()) {
      clock.travelTo(step.at)
      await place(stage, book, ordersOf(book, step, index))
    }
  } finally {
    clock.comeBack()
  }
}
