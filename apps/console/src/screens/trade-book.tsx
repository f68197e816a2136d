import { useParams } from '@tanstack/react-router'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import {
  type Book,
  cancelAll,
  cancelOrder,
  isKind,
  type Kind,
  nameOfHolder,
  type Order,
  type Resolution,
  type Trade,
  useBook,
} from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { Amend } from '../trade/amend.tsx'
import { Daily } from '../trade/daily.tsx'
import type { Feed } from '../trade/feed.ts'
import { Flatten } from '../trade/flatten.tsx'
import { AuctionStrip, BookHead } from '../trade/head.tsx'
import { KeyStrip, KeysHelp } from '../trade/keys.tsx'
import { Ladder } from '../trade/ladder.tsx'
import { Fills, OpenOrders } from '../trade/open-orders.tsx'
import { PriceChart, resolutions } from '../trade/price-chart.tsx'
import { Tape } from '../trade/tape.tsx'
import { type Draft, EMPTY_DRAFT, Ticket } from '../trade/ticket.tsx'
import { digitsOf, plainUnits } from '../trade/units.ts'
import { useFeed } from '../trade/use-feed.ts'
import { useKeys } from '../trade/use-keys.ts'
import { useOwn } from '../trade/use-own.ts'
import { usePlace } from '../trade/use-place.ts'
import { useTrader } from '../trade/use-trader.ts'
import { Loaded, messageOf } from '../ui/loading.tsx'

const text = t.trade

/** A part of the screen with a height of its own: what is in it scrolls, nothing around it moves, and nothing around it is laid out or painted anew. */
const Box = ({ title, children, className = '' }: { title?: string; children: ReactNode; className?: string }) => (
  <section
    aria-label={title}
    className={`flex min-w-0 flex-col rounded-lg border border-line bg-panel contain-content ${className}`}
  >
    {title ? <h2 className="border-b border-line px-3 py-2 text-xs font-medium text-muted">{title}</h2> : null}
    {children}
  </section>
)

export function TradeBook() {
  const { kind = '', bookId = '' } = useParams({ strict: false })
  if (!isKind(kind)) return null
  return <Found key={`${kind} ${bookId}`} kind={kind} bookId={bookId} />
}

function Found({ kind, bookId }: { kind: Kind; bookId: string }) {
  const book = useBook(kind, bookId)
  const feed = useFeed(kind, bookId)
  return <Loaded query={book}>{(data) => (feed ? <Screen kind={kind} book={data} feed={feed} /> : null)}</Loaded>
}

const NO_ORDERS: readonly Order[] = []
const NO_FILLS: readonly Trade[] = []

type Open = { readonly what: 'amend'; readonly order: Order } | { readonly what: 'flatten' } | { readonly what: 'keys' }

function Screen({ kind, book, feed }: { kind: Kind; book: Book; feed: Feed }) {
  const trader = useTrader(kind)
  const own = useOwn(feed, kind, book.id, trader.holder)
  const placing = usePlace({ kind, book, trader, own })
  const [draft, setWhole] = useState(EMPTY_DRAFT)
  const setDraft = useCallback((change: Partial<Draft>) => setWhole((known) => ({ ...known, ...change })), [])
  const onPick = useCallback(
    (price: string, side: Draft['side']) => setDraft({ price: plainUnits(BigInt(price)), side, orderType: 'LIMIT' }),
    [setDraft],
  )
  const [resolution, setResolution] = useState<Resolution>('15m')
  const [opened, open] = useState<Open>()
  const fields = { price: useRef<HTMLInputElement>(null), quantity: useRef<HTMLInputElement>(null) }
  const orders = own.open.data ?? NO_ORDERS
  const { selected, select, move, chosen } = useSelected(orders)
  const { leaving, cancel, cancelEvery } = useCancel({ kind, book, trader, own, placing, orders })
  const digits = digitsOf(book.tickSize)
  const { holder } = trader

  const focusOn = (field: keyof typeof fields) => fields[field].current?.focus()
  const stepResolution = (by: number) => {
    const next = resolutions[resolutions.indexOf(resolution) + by]
    if (next) setResolution(next)
  }
  const begin = (side: Draft['side']) => {
    setDraft({ side })
    focusOn('quantity')
  }
  useKeys({
    b: () => begin('BUY'),
    s: () => begin('SELL'),
    l: () => setDraft({ orderType: 'LIMIT' }),
    m: () => setDraft({ orderType: 'MARKET' }),
    p: () => focusOn('price'),
    q: () => focusOn('quantity'),
    j: () => move(1),
    k: () => move(-1),
    c: () => chosen && void cancel(chosen),
    C: () => void cancelEvery(),
    e: () => chosen && open({ what: 'amend', order: chosen }),
    f: () => holder && open({ what: 'flatten' }),
    '[': () => stepResolution(-1),
    ']': () => stepResolution(1),
    '?': () => open({ what: 'keys' }),
  })

  return (
    <>
      <BookHead {...{ kind, book, digits, feed }} />
      <AuctionStrip {...{ kind, book, digits, feed }} />
      <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_16rem_17rem]">
        <Box className="h-96 contain-strict lg:h-[37.5rem]">
          <PriceChart
            {...{ feed, kind, digits, resolution }}
            bookId={book.id}
            symbol={book.symbol}
            onResolution={setResolution}
          />
        </Box>
        <Box title={text.ladder.title} className="lg:h-[37.5rem] lg:contain-strict">
          <Ladder {...{ feed, digits, onPick }} own={orders} />
        </Box>
        <Box title={text.ticket.title} className="lg:h-[37.5rem] lg:overflow-y-auto">
          <Ticket {...{ kind, book, trader, placing, draft, setDraft, fields, feed }} />
        </Box>
      </div>
      <div className="mt-3 grid gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-3">
          <div className="max-h-[26rem] overflow-y-auto rounded-lg contain-content">
            <OpenOrders
              {...{ book, digits, orders, leaving, selected }}
              sending={placing.sending}
              onSelect={select}
              onCancel={(order) => void cancel(order)}
              onCancelAll={() => void cancelEvery()}
              onAmend={(order) => open({ what: 'amend', order })}
            />
          </div>
          <div className="max-h-[26rem] overflow-y-auto rounded-lg contain-content">
            <Fills {...{ book, digits }} trades={own.fills.data ?? NO_FILLS} own={holder ? nameOfHolder(holder) : ''} />
          </div>
        </div>
        <Box title={text.tape.title} className="h-[30rem] contain-strict">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached from the keyboard */}
          <section aria-label={text.tape.title} tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
            <Tape feed={feed} digits={digits} />
          </section>
        </Box>
      </div>
      <div className="mt-3 max-h-[26rem] overflow-y-auto rounded-lg contain-content">
        <Daily kind={kind} book={book} />
      </div>
      <KeyStrip onHelp={() => open({ what: 'keys' })} />
      {opened?.what === 'keys' ? <KeysHelp onClose={() => open(undefined)} /> : null}
      {opened?.what === 'flatten' && holder ? (
        <Flatten {...{ kind, book, holder, placing }} open={orders.length} onClose={() => open(undefined)} />
      ) : null}
      {opened?.what === 'amend' && holder ? (
        <Amend
          {...{ kind, book, holder }}
          order={opened.order}
          onDone={() => {
            own.refreshSoon()
            placing.say({ tone: 'good', text: text.said.amended })
          }}
          onClose={() => open(undefined)}
        />
      ) : null}
    </>
  )
}

/** Which open order keys act on. */
function useSelected(orders: readonly Order[]) {
  const [selected, select] = useState<string>()
  const at = orders.findIndex(({ orderId }) => orderId === selected)
  return {
    selected,
    select,
    chosen: orders[at],
    move(by: number) {
      const next = orders[Math.min(Math.max(at + by, 0), orders.length - 1)]
      if (next) select(next.orderId)
    },
  }
}

type Parts = Parameters<typeof usePlace>[0] & { placing: ReturnType<typeof usePlace>; orders: readonly Order[] }

function useCancel({ kind, book, trader: { holder }, own, placing, orders }: Parts) {
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set())
  const mark = (ids: readonly string[], isLeaving: boolean) =>
    setLeaving((known) => {
      const next = new Set(known)
      for (const id of ids)
        if (isLeaving) next.add(id)
        else next.delete(id)
      return next
    })

  async function attempt(ids: readonly string[], work: () => Promise<string>): Promise<void> {
    mark(ids, true)
    try {
      const said = await work()
      await own.drop(ids)
      placing.say({ tone: 'good', text: said })
    } catch (error) {
      own.refreshSoon()
      placing.say({ tone: 'bad', text: messageOf(error) })
    } finally {
      mark(ids, false)
    }
  }

  return {
    leaving,
    async cancel({ orderId }: Order): Promise<void> {
      if (!holder || leaving.has(orderId)) return
      await attempt([orderId], async () => {
        await cancelOrder(kind, orderId, holder)
        return text.said.cancelled
      })
    },
    async cancelEvery(): Promise<void> {
      if (!holder || orders.length === 0) return
      await attempt(
        orders.map(({ orderId }) => orderId),
        async () => `${text.said.cancelledAll} ${await cancelAll(kind, book.id, holder)}`,
      )
    },
  }
}
