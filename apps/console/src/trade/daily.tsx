import { memo, useState } from 'react'
import { type Book, type Day, type DayRange, dayRanges, type Kind, useDays } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { Loaded } from '../ui/loading.tsx'
import { Empty } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'

const text = t.trade.days
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const price = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

type Figure = 'orderCount' | 'tradeCount' | 'volumeBase' | 'volumeQuote'
type Price = 'priceOpen' | 'priceHigh' | 'priceLow' | 'priceClose'

const figure = (key: Figure, name: string, wide: boolean): Column<Day> => ({
  ...{ key, name, wide, number: true },
  cell: (day) => <span className="num">{whole.format(day[key])}</span>,
  csv: (day) => String(day[key]),
  sortBy: (day) => day[key],
})

const priceOf = (key: Price, name: string, wide: boolean): Column<Day> => ({
  ...{ key, name, wide, number: true },
  cell: (day) => <span className="num">{day[key] === null ? '–' : price.format(day[key])}</span>,
  csv: (day) => String(day[key] ?? ''),
})

const COLUMNS: readonly Column<Day>[] = [
  {
    key: 'date',
    name: text.date,
    cell: ({ date }) => <span className="num whitespace-nowrap">{date}</span>,
    csv: ({ date }) => date,
    sortBy: ({ date }) => date,
  },
  priceOf('priceOpen', text.open, true),
  priceOf('priceHigh', text.high, true),
  priceOf('priceLow', text.low, true),
  priceOf('priceClose', text.close, false),
  figure('volumeBase', text.volume, false),
  figure('tradeCount', text.trades, false),
  figure('orderCount', text.orders, true),
]

/** Every book of the class on the token together, a row per UTC day; days without anything are left out here, not in the totals. */
export const Daily = memo(function Daily({ kind, book }: { kind: Kind; book: Book }) {
  const [range, setRange] = useState<DayRange>('1M')
  const query = useDays(kind, book.tokenAddress, range)
  return (
    <Loaded query={query}>
      {({ stats, totals, orderbooks }) => (
        <Table
          title={`${text.title} ${book.symbol}`}
          rows={stats.filter(({ orderCount, tradeCount }) => orderCount + tradeCount > 0).toReversed()}
          columns={COLUMNS}
          rowKey={({ date }) => date}
          empty={<Empty title={text.empty}>{text.emptyAbout}</Empty>}
          aside={
            <>
              <span className="text-xs text-muted">
                {text.books(orderbooks.length)} · {whole.format(totals.tradeCount)} {text.trades.toLowerCase()}
              </span>
              <select
                aria-label={text.range}
                value={range}
                onChange={(event) => setRange(event.target.value as DayRange)}
                className="h-7 rounded-md border border-line bg-panel px-1 text-xs"
              >
                {dayRanges.map((one) => (
                  <option key={one} value={one}>
                    {text.ranges[one]}
                  </option>
                ))}
              </select>
            </>
          }
        />
      )}
    </Loaded>
  )
})
