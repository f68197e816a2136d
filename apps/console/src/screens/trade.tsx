import { Link } from '@tanstack/react-router'
import { type KnownBook, useBooks, useDayFigures } from '../api/trading.ts'
import { showInteger } from '../lib/format.ts'
import { t } from '../texts/index.ts'
import { digitsOf, showUnits } from '../trade/units.ts'
import { Badge } from '../ui/badge.tsx'
import { Fault, Waiting } from '../ui/loading.tsx'
import { Empty, PageHead, Panel } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'

const text = t.trade

type Figures = NonNullable<ReturnType<typeof useDayFigures>['data']>

function DayFigure({ known, of }: { known: KnownBook; of: (figures: Figures) => string | number | null }) {
  const { data } = useDayFigures(known.kind, known.book.id)
  const value = data ? of(data) : null
  return <span className="num">{value === null ? '–' : value}</span>
}

const priced = ({ book }: KnownBook, units: string | null) =>
  units === null ? null : showUnits(units, digitsOf(book.tickSize))

const columns: readonly Column<KnownBook>[] = [
  {
    key: 'book',
    name: text.columns.book,
    cell: ({ kind, book }) => (
      <Link to="/trade/$kind/$bookId" params={{ kind, bookId: book.id }} className="font-medium hover:underline">
        {book.name} <span className="text-muted">{book.symbol}</span>
        {book._imported ? <span className="text-xs text-muted"> · {text.imported}</span> : null}
      </Link>
    ),
    csv: ({ book }) => `${book.name} (${book.symbol})`,
    sortBy: ({ book }) => book.name,
  },
  {
    key: 'kind',
    name: text.columns.kind,
    wide: true,
    cell: ({ kind }) => <span className="text-muted">{text.kinds[kind]}</span>,
    csv: ({ kind }) => kind,
    sortBy: ({ kind }) => kind,
  },
  {
    key: 'price',
    name: text.columns.price,
    number: true,
    cell: (known) => <DayFigure known={known} of={({ lastPrice }) => priced(known, lastPrice)} />,
    csv: ({ book }) => (book.priceRefLastPrice === null ? '' : book.priceRefLastPrice),
  },
  {
    key: 'high',
    name: text.columns.high,
    number: true,
    wide: true,
    cell: (known) => <DayFigure known={known} of={({ stats24h }) => priced(known, stats24h.high)} />,
    csv: () => '',
  },
  {
    key: 'low',
    name: text.columns.low,
    number: true,
    wide: true,
    cell: (known) => <DayFigure known={known} of={({ stats24h }) => priced(known, stats24h.low)} />,
    csv: () => '',
  },
  {
    key: 'volume',
    name: text.columns.volume,
    number: true,
    cell: (known) => <DayFigure known={known} of={({ stats24h }) => showUnits(stats24h.volume)} />,
    csv: () => '',
  },
  {
    key: 'trades',
    name: text.columns.trades,
    number: true,
    wide: true,
    cell: (known) => <DayFigure known={known} of={({ stats24h }) => showInteger(stats24h.trades)} />,
    csv: () => '',
  },
  {
    key: 'status',
    name: text.columns.status,
    wide: true,
    cell: ({ book }) => <Badge tone={book.status === 'ACTIVE' ? 'good' : 'warn'}>{text.statuses[book.status]}</Badge>,
    csv: ({ book }) => book.status,
    sortBy: ({ book }) => book.status,
  },
]

export function Trade() {
  const { books, isLoading, error } = useBooks()
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      {error ? <Fault error={error} /> : null}
      {isLoading ? (
        <Panel>
          <Waiting />
        </Panel>
      ) : (
        <Table
          title={text.title}
          rows={books}
          columns={columns}
          rowKey={({ kind, book }) => `${kind}-${book.id}`}
          empty={<Empty title={text.empty}>{text.emptyAbout}</Empty>}
        />
      )}
    </>
  )
}
