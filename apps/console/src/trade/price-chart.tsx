import { useQuery } from '@tanstack/react-query'
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { memo, useEffect, useRef, useState } from 'react'
import { type Candle, type Kind, listCandles, type Resolution, type Trade } from '../api/trading.ts'
import { saveFile, toCsv } from '../lib/csv.ts'
import { showDateTime } from '../lib/format.ts'
import { useTheme } from '../shell/theme.ts'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Feed } from './feed.ts'
import { plainUnits } from './units.ts'

const text = t.trade.chart

export const resolutions: readonly Resolution[] = ['1m', '5m', '15m', '1h', '4h', '1d']
const SECONDS: Record<Resolution, number> = { '1m': 60, '5m': 300, '15m': 900, '1h': 3600, '4h': 14_400, '1d': 86_400 }
/** A canvas is drawn as a whole: the first trade at once, those after it together. */
const DRAW_MS = 500
/** How often the newest candles are asked for again while trades come in. */
const TRUTH_MS = 1_000
const PAGE = 300
const MOST = 3_000

/** For lines on a screen, and nothing else. */
const asNumber = (units: string) => Number(units) / 1e6
const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
const timeOf = ({ startsAt }: Candle) => (Date.parse(startsAt) / 1000) as UTCTimestamp

const larger = (a: string, b: string) => (BigInt(a) > BigInt(b) ? a : b)
const smaller = (a: string, b: string) => (BigInt(a) < BigInt(b) ? a : b)

/** A trade moves the newest candle at once; how much was traded comes from the service. */
export function withTrade(candles: readonly Candle[], trade: Trade, resolution: Resolution): readonly Candle[] {
  const span = SECONDS[resolution] * 1000
  const startsAt = new Date(Math.floor(Date.parse(trade.createdAt) / span) * span).toISOString()
  const { price } = trade
  const [newest] = candles
  if (newest && newest.startsAt > startsAt) return candles
  if (newest?.startsAt !== startsAt)
    return [
      { startsAt, open: price, high: price, low: price, close: price, volume: '0', quoteVolume: '0', trades: 1 },
      ...candles,
    ]
  return [
    { ...newest, high: larger(newest.high, price), low: smaller(newest.low, price), close: price },
    ...candles.slice(1),
  ]
}

const isSame = (a: Candle, b: Candle) =>
  a.volume === b.volume && a.close === b.close && a.high === b.high && a.low === b.low && a.open === b.open

/** Newer candles over those that are there; what did not change stays the very same. */
export function withNewer(candles: readonly Candle[], newer: readonly Candle[]): readonly Candle[] {
  const oldest = newer.at(-1)?.startsAt ?? '9'
  const known = new Map(candles.slice(0, newer.length + 1).map((candle) => [candle.startsAt, candle]))
  const kept = newer.map((candle) => {
    const before = known.get(candle.startsAt)
    return before && isSame(before, candle) ? before : candle
  })
  return [...kept, ...candles.filter(({ startsAt }) => startsAt < oldest)]
}

interface Drawn {
  readonly chart: IChartApi
  readonly prices: ISeriesApi<'Candlestick'>
  readonly volumes: ISeriesApi<'Histogram'>
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const date = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** In the reader's zone, as the tape beside it; the chart itself would say it in UTC. */
const tickName = (time: Time, kind: TickMarkType): string =>
  (kind === TickMarkType.Time || kind === TickMarkType.TimeWithSeconds ? clock : date).format(
    new Date(Number(time) * 1000),
  )

function drawOn(element: HTMLElement, digits: number): Drawn {
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: colorOf('muted'),
      fontFamily: 'Roboto, sans-serif',
      fontSize: 11,
      attributionLogo: false,
    },
    grid: { vertLines: { color: colorOf('line') }, horzLines: { color: colorOf('line') } },
    rightPriceScale: { borderColor: colorOf('line') },
    timeScale: {
      ...{ borderColor: colorOf('line'), timeVisible: true, secondsVisible: false, rightOffset: 3 },
      tickMarkFormatter: tickName,
    },
    localization: { timeFormatter: (time: number) => showDateTime(new Date(time * 1000)) },
  })
  const [up, down] = [colorOf('good'), colorOf('bad')]
  const prices = chart.addSeries(CandlestickSeries, {
    ...{ upColor: up, wickUpColor: up, borderUpColor: up, downColor: down, wickDownColor: down, borderDownColor: down },
    priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits },
  })
  const volumes = chart.addSeries(HistogramSeries, {
    color: colorOf('strong'),
    priceFormat: { type: 'volume' },
    priceScaleId: '',
    priceLineVisible: false,
    lastValueVisible: false,
  })
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  prices.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.22 } })
  return { chart, prices, volumes }
}

const barOf = (candle: Candle) => ({
  time: timeOf(candle),
  open: asNumber(candle.open),
  high: asNumber(candle.high),
  low: asNumber(candle.low),
  close: asNumber(candle.close),
})
const volumeOf = (candle: Candle) => ({ time: timeOf(candle), value: asNumber(candle.volume) })

/** Where only the newest candle moved, only that one is drawn. */
function draw({ prices, volumes }: Drawn, candles: readonly Candle[], before: readonly Candle[] | undefined): void {
  const [newest, second] = candles
  const isSmall =
    newest !== undefined &&
    before !== undefined &&
    (candles.length === before.length
      ? second === before[1]
      : candles.length === before.length + 1 && second === before[0])
  if (isSmall) {
    prices.update(barOf(newest))
    volumes.update(volumeOf(newest))
    return
  }
  const inTime = candles.toReversed()
  prices.setData(inTime.map(barOf))
  volumes.setData(inTime.map(volumeOf))
}

interface Props {
  readonly feed: Feed
  readonly kind: Kind
  readonly bookId: string
  readonly symbol: string
  readonly digits: number
  readonly resolution: Resolution
  readonly onResolution: (resolution: Resolution) => void
}

export const PriceChart = memo(function PriceChart(props: Props) {
  const { symbol, resolution, onResolution } = props
  const { frame, candles, isLoading } = useChart(props)
  const newest = candles[0]
  const save = () =>
    saveFile(
      `candles-${symbol.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${resolution}.csv`,
      toCsv([
        [...text.columns],
        ...candles.map(({ startsAt, trades, ...figures }) => [
          startsAt,
          ...[figures.open, figures.high, figures.low, figures.close, figures.volume, figures.quoteVolume].map(
            (units) => plainUnits(BigInt(units)),
          ),
          String(trades),
        ]),
      ]),
      'text/csv',
    )
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-1.5">
        <div role="radiogroup" aria-label={text.resolution} className="flex gap-0.5">
          {resolutions.map((one) => (
            <label
              key={one}
              className={`cursor-pointer rounded px-2 py-1 text-xs font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent ${one === resolution ? 'bg-raised text-ink' : 'text-muted'}`}
            >
              <input
                type="radio"
                name="resolution"
                className="sr-only"
                checked={one === resolution}
                onChange={() => onResolution(one)}
              />
              {one}
            </label>
          ))}
        </div>
        <Button small look="quiet" disabled={candles.length === 0} onClick={save}>
          <Icon name="save" className="size-3.5" /> {t.table.csv}
        </Button>
      </div>
      <div className="relative min-h-0 flex-1">
        <div
          ref={frame}
          role="img"
          aria-label={`${text.label} ${symbol} ${resolution}${newest ? `: ${text.last} ${plainUnits(BigInt(newest.close))}` : ''}`}
          className="absolute inset-0"
        />
        {candles.length === 0 && !isLoading ? (
          <p className="absolute inset-0 grid place-items-center text-sm text-muted">{text.empty}</p>
        ) : null}
      </div>
      <p className="px-3 pb-1 text-right text-[0.6875rem] text-muted">
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="hover:underline">
          {text.attribution}
        </a>
      </p>
    </div>
  )
})

function useChart({ feed, kind, bookId, digits, resolution }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn>(undefined)
  const theme = useTheme()
  const [candles, setCandles] = useState<readonly Candle[]>([])
  const older = useRef<string | null>(null)
  const first = useQuery({
    queryKey: ['candles', kind, bookId, resolution],
    queryFn: () => listCandles(kind, bookId, { resolution, limit: String(PAGE) }),
    staleTime: 0,
    gcTime: 0,
  })
  useEffect(() => {
    setCandles(first.data?.candles ?? [])
    older.current = first.data?.nextCursor ?? null
  }, [first.data])

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the theme
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const made = drawOn(element, digits)
    drawn.current = made
    return () => {
      drawn.current = undefined
      made.chart.remove()
    }
  }, [digits, theme])

  const shown = useRef<{ on: Drawn; candles: readonly Candle[] }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new chart is drawn on too
  useEffect(() => {
    const on = drawn.current
    if (!on) return
    draw(on, candles, shown.current?.on === on ? shown.current.candles : undefined)
    shown.current = { on, candles }
  }, [candles, digits, theme])

  useOlder(drawn, older, setCandles, { kind, bookId, resolution, theme, digits })
  useNews(feed, setCandles, { kind, bookId, resolution }, first.refetch)
  return { frame, candles, isLoading: first.isPending }
}

type SetCandles = (change: (known: readonly Candle[]) => readonly Candle[]) => void

/** Whoever looks back far enough is shown what is older. */
function useOlder(
  drawn: { readonly current: Drawn | undefined },
  older: { current: string | null },
  setCandles: SetCandles,
  {
    kind,
    bookId,
    resolution,
    theme,
    digits,
  }: Pick<Props, 'kind' | 'bookId' | 'resolution' | 'digits'> & { theme: string },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart is another one with each theme
  useEffect(() => {
    const chart = drawn.current?.chart
    if (!chart) return
    let isReading = false
    const look = (range: { from: number } | null) => {
      const cursor = older.current
      if (!range || range.from > 20 || cursor === null || isReading) return
      isReading = true
      void listCandles(kind, bookId, { resolution, limit: String(PAGE), cursor })
        .then((page) => {
          setCandles((known) => (known.length >= MOST ? known : [...known, ...page.candles]))
          older.current = page.nextCursor
        })
        .catch(() => {})
        .finally(() => {
          isReading = false
        })
    }
    chart.timeScale().subscribeVisibleLogicalRangeChange(look)
    return () => chart.timeScale().unsubscribeVisibleLogicalRangeChange(look)
  }, [kind, bookId, resolution, theme, digits])
}

/** Trades move the newest candle, and once a second the service says how it really is. */
function useNews(
  feed: Feed,
  setCandles: SetCandles,
  { kind, bookId, resolution }: Pick<Props, 'kind' | 'bookId' | 'resolution'>,
  readAll: () => unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: reading everything again is the same for one resolution
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let drawing: ReturnType<typeof setTimeout> | undefined
    let drawnAt = 0
    let waiting: Trade[] = []
    const truth = () => {
      timer = undefined
      void listCandles(kind, bookId, { resolution, limit: '2' })
        .then(({ candles }) => setCandles((known) => withNewer(known, candles)))
        .catch(() => {})
    }
    const draw = () => {
      drawing = undefined
      drawnAt = performance.now()
      const trades = waiting
      waiting = []
      setCandles((known) => trades.reduce((candles, trade) => withTrade(candles, trade, resolution), known))
    }
    const leave = feed.hear(({ isFresh, trades, hasFailed }) => {
      if (isFresh || hasFailed) readAll()
      if (trades.length === 0) return
      waiting.push(...trades)
      drawing ??= setTimeout(draw, drawnAt + DRAW_MS - performance.now())
      timer ??= setTimeout(truth, TRUTH_MS)
    })
    return () => {
      leave()
      clearTimeout(timer)
      clearTimeout(drawing)
    }
  }, [feed, kind, bookId, resolution])
}
