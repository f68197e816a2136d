import type { CandleResolution } from '@tallystick/wire'
import { asCursor, countOf, readCursor } from '../../platform/page.ts'
import type { CandlesPage, CandleView } from './tape.store.ts'

const MINUTES: Readonly<Record<CandleResolution, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '1h': 60,
  '4h': 240,
  '1d': 1_440,
}
const LIMIT = { fallback: 300, most: 1_000 } as const
const MINUTE_MS = 60_000
/** The start of the oldest candle that was shown, in minutes since 1970. */
const CURSOR = /^-?\d{1,9}$/

export interface CandlesRequest {
  readonly resolution?: CandleResolution | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

export type AskedCandles = CandlesPage & { readonly resolution: CandleResolution }

/** Which candles are asked for: a candle belongs to the time at which it starts. */
export function candlesPage({ resolution = '1h', from, to, limit, cursor }: CandlesRequest): AskedCandles {
  const minutes = MINUTES[resolution]
  const span = minutes * MINUTE_MS
  const startAt = (text: string | undefined) => (text === undefined ? null : Math.ceil(Date.parse(text) / span) * span)
  const [place] = readCursor(cursor, CURSOR) ?? []
  const ends = [startAt(to), place === undefined ? null : Number(place) * MINUTE_MS].filter((end) => end !== null)
  const since = startAt(from)
  return {
    resolution,
    minutes,
    since: since === null ? null : new Date(since),
    before: ends.length === 0 ? null : new Date(Math.min(...ends)),
    limit: countOf(limit, LIMIT),
  }
}

/** As a page of them is answered. */
export function shownCandles(rows: readonly CandleView[], { resolution, limit }: AskedCandles) {
  const last = rows.at(-1)
  const isMore = last && (rows.length === limit || last.isMore)
  return {
    resolution,
    candles: rows.map((row) => ({
      startsAt: row.startsAt.toISOString(),
      open: row.open.toString(),
      high: row.high.toString(),
      low: row.low.toString(),
      close: row.close.toString(),
      volume: row.volume.toString(),
      quoteVolume: row.quoteVolume.toString(),
      trades: row.trades,
    })),
    limit,
    nextCursor: isMore ? asCursor([String(last.startsAt.getTime() / MINUTE_MS)]) : null,
  }
}
