import { useNavigate } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { type Book, isKind, type Kind, useAuction, useBooks, useDayFigures } from '../api/trading.ts'
import { showAmount, showInteger } from '../lib/format.ts'
import { t } from '../texts/index.ts'
import { Badge } from '../ui/badge.tsx'
import { When } from '../ui/figures.tsx'
import type { Feed } from './feed.ts'
import { directionOf } from './ladder.tsx'
import { showUnits } from './units.ts'
import { useFeedPart } from './use-feed.ts'

const text = t.trade

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="num text-sm">{children}</dd>
  </div>
)

interface Props {
  readonly kind: Kind
  readonly book: Book
  readonly feed: Feed
  readonly digits: number
}

/** Name, last price and the last 24 hours. Every figure has its place from the beginning. */
export function BookHead({ kind, book, feed, digits }: Props) {
  const { data } = useDayFigures(kind, book.id)
  const status = useFeedPart(feed, (state) => state.status)
  const connection = useFeedPart(feed, (state) => state.connection)
  const shown = (units: string | null | undefined) => (units ? showUnits(units, digits) : '–')
  const reference = data?.priceReference
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-2">
      <div className="min-w-0">
        <h1 className="truncate text-xl font-medium tracking-tight">
          {book.name} <span className="text-muted">{book.symbol}</span>
        </h1>
        <BookChoice kind={kind} book={book} />
      </div>
      <LastPrice feed={feed} digits={digits} otherwise={data?.lastPrice ?? null} />
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        <Figure name={text.columns.high}>{shown(data?.stats24h.high)}</Figure>
        <Figure name={text.columns.low}>{shown(data?.stats24h.low)}</Figure>
        <Figure name={text.columns.volume}>{data ? showUnits(data.stats24h.volume) : '–'}</Figure>
        <Figure name={text.columns.trades}>{showInteger(data?.stats24h.trades)}</Figure>
        {reference ? <Figure name={text.reference}>{showAmount(reference.price).short}</Figure> : null}
        {reference?.lowerBound && reference.upperBound ? (
          <Figure name={text.band}>
            {showAmount(reference.lowerBound).short} – {showAmount(reference.upperBound).short}
          </Figure>
        ) : null}
      </dl>
      <div className="ml-auto flex items-center gap-2">
        {status === 'ACTIVE' ? null : <Badge tone="warn">{text.statuses[status]}</Badge>}
        <span role="status">
          <Badge tone={connection === 'live' ? 'good' : 'warn'}>{text.live[connection]}</Badge>
        </span>
      </div>
    </div>
  )
}

interface LastPriceProps extends Pick<Props, 'feed' | 'digits'> {
  /** Where nothing was traded since the page was opened. */
  readonly otherwise: string | null
}

function LastPrice({ feed, digits, otherwise }: LastPriceProps) {
  const tape = useFeedPart(feed, (state) => state.tape)
  const last = tape.find(({ settlementStatus }) => settlementStatus !== 'FAILED')
  const price = last?.price ?? otherwise
  const color = { up: 'text-good', down: 'text-bad', same: '' }[directionOf(tape)]
  return <p className={`num min-w-28 text-2xl font-medium ${color}`}>{price ? showUnits(price, digits) : '–'}</p>
}

const BookChoice = memo(function BookChoice({ kind, book }: { kind: Kind; book: Book }) {
  const { books } = useBooks()
  const go = useNavigate()
  return (
    <select
      aria-label={text.choose}
      value={`${kind} ${book.id}`}
      onChange={(event) => {
        const [chosen = '', bookId = ''] = event.target.value.split(' ')
        if (isKind(chosen)) void go({ to: '/trade/$kind/$bookId', params: { kind: chosen, bookId } })
      }}
      className="mt-0.5 h-7 max-w-full rounded-md border border-line bg-panel px-1 text-xs text-muted"
    >
      {books.some((one) => one.book.id === book.id) ? null : <option value={`${kind} ${book.id}`}>{book.name}</option>}
      {books.map((one) => (
        <option key={one.book.id} value={`${one.kind} ${one.book.id}`}>
          {one.book.name} · {one.book.symbol} · {text.kinds[one.kind]}
        </option>
      ))}
    </select>
  )
})

/** While a book collects orders: when they are traded, and at what price that would be now. */
export function AuctionStrip({ kind, book, feed, digits }: Props) {
  const auctionId = useFeedPart(feed, (state) => state.auctionId)
  const { data } = useAuction(kind, book.id, auctionId)
  if (auctionId === null) return null
  return (
    <section
      aria-label={text.auction.title}
      className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-1 rounded-lg bg-accent-soft px-4 py-2 text-sm"
    >
      <strong className="font-medium text-accent">{text.auction.title}</strong>
      <span className="text-muted">{text.auction.about}</span>
      <dl className="flex flex-wrap gap-x-5">
        <Figure name={text.auction.indicative}>
          {data?.indicative ? showUnits(data.indicative.price, digits) : text.auction.none}
        </Figure>
        <Figure name={text.auction.volume}>{data?.indicative ? showUnits(data.indicative.volume) : '–'}</Figure>
        <Figure name={text.auction.ends}>
          <When at={data?.endsAt} as="time" />
        </Figure>
      </dl>
    </section>
  )
}
