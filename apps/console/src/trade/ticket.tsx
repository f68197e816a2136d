import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import type { Book, Kind, NewOrder, Side } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Address } from '../ui/figures.tsx'
import { Fact, Facts } from '../ui/panel.tsx'
import type { Feed, Level } from './feed.ts'
import { largestFee, notionalDown, plainUnits, reservationOf, showUnits, typedUnits, walk } from './units.ts'
import { useFeedPart } from './use-feed.ts'
import type { Placing } from './use-place.ts'
import { type Trader, useAvailable } from './use-trader.ts'

const text = t.trade.ticket

export interface Draft {
  readonly side: Side
  readonly orderType: 'LIMIT' | 'MARKET'
  readonly price: string
  readonly quantity: string
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly postOnly: boolean
}

const NO_DEPTH: readonly Level[] = []

export const EMPTY_DRAFT: Draft = {
  ...{ side: 'BUY', orderType: 'LIMIT', price: '', quantity: '', timeInForce: 'GTC', postOnly: false },
}

interface Props {
  readonly kind: Kind
  readonly book: Book
  readonly feed: Feed
  readonly trader: Trader
  readonly placing: Placing
  readonly draft: Draft
  readonly setDraft: (change: Partial<Draft>) => void
  readonly fields: {
    readonly price: RefObject<HTMLInputElement | null>
    readonly quantity: RefObject<HTMLInputElement | null>
  }
}

/** What an order would hold back and cost at most; exact for a limit, as far as the depth goes for a market order. */
function termsOf(draft: Draft, book: Book, depth: readonly Level[]) {
  const [price, quantity] = [typedUnits(draft.price), typedUnits(draft.quantity)]
  const bps = Math.max(0, book.takerFeeBps, book.makerFeeBps)
  if (quantity === undefined) return { price, quantity }
  if (draft.orderType === 'MARKET') {
    const { notional, left } = walk(depth, quantity)
    const fee = (notional * BigInt(book.takerFeeBps)) / 10_000n
    const reserved = draft.side === 'SELL' ? quantity : notional + fee
    return { price: undefined, quantity, value: notional, fee, reserved, left }
  }
  if (price === undefined) return { price, quantity }
  const value = notionalDown(quantity, price)
  return {
    ...{ price, quantity, value, fee: largestFee(quantity, price, bps), left: 0n },
    reserved: reservationOf(draft.side, quantity, price, bps),
  }
}

function faultsOf(
  draft: Draft,
  book: Book,
  { price, quantity }: { price?: bigint | undefined; quantity?: bigint | undefined },
) {
  const tick = BigInt(book.tickSize)
  const isPriceless = draft.orderType === 'LIMIT' && draft.price.trim() !== '' && price === undefined
  const offTick = price !== undefined && price % tick !== 0n
  const least = BigInt(book.minOrderSize)
  const most = book.maxOrderSize === null ? undefined : BigInt(book.maxOrderSize)
  return {
    price: isPriceless ? t.loans.notNumber : offTick ? `${text.tick} ${plainUnits(tick)}` : undefined,
    quantity:
      draft.quantity.trim() !== '' && quantity === undefined
        ? t.loans.notNumber
        : quantity !== undefined && quantity < least
          ? `${text.least} ${plainUnits(least)}`
          : quantity !== undefined && most !== undefined && quantity > most
            ? `${text.most} ${plainUnits(most)}`
            : undefined,
  }
}

export function Ticket(props: Props) {
  const { kind, book, feed, trader, placing, draft, setDraft, fields } = props
  const isMarket = draft.orderType === 'MARKET'
  const status = useFeedPart(feed, (state) => state.status)
  const isAuction = useFeedPart(feed, ({ auctionId }) => auctionId !== null)
  // A limit has its price: only a market order follows the depth.
  const depth = useFeedPart(feed, ({ bids, asks }) => (!isMarket ? NO_DEPTH : draft.side === 'BUY' ? asks : bids))
  const terms = termsOf(draft, book, depth)
  const faults = faultsOf(draft, book, terms)
  const available = useAvailable(kind, book, trader.holder, draft.side).data
  const [isBusy, setBusy] = useState(false)
  const isReady =
    terms.quantity !== undefined && (isMarket || terms.price !== undefined) && !faults.price && !faults.quantity
  const isShort =
    available !== null && available !== undefined && terms.reserved !== undefined && terms.reserved > available
  const isClosed = status !== 'ACTIVE'
  const unit = draft.side === 'SELL' ? book.symbol : text.quote

  async function submit() {
    if (!isReady || terms.quantity === undefined || isBusy || isClosed) return
    const { side, orderType, timeInForce, postOnly } = draft
    const order: Omit<NewOrder, 'clientOrderId'> = {
      ...{ side, orderType, quantity: terms.quantity, price: terms.price, timeInForce },
      postOnly: postOnly && timeInForce === 'GTC' && !isAuction,
    }
    // A ledger answers in a moment and any number may be on their way; a wallet asks its owner one by one.
    if (kind !== 'offchain') setBusy(true)
    const isPlaced = await placing.place(order).finally(() => setBusy(false))
    if (isPlaced) setDraft({ quantity: '' })
    fields.quantity.current?.focus()
  }

  function step(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const tick = BigInt(book.tickSize)
    const { bids, asks } = feed.get()
    const best = (draft.side === 'BUY' ? bids : asks)[0]?.price
    const from = terms.price ?? BigInt(best ?? 0)
    const next = from + (event.key === 'ArrowUp' ? tick : -tick)
    if (next > 0n) setDraft({ price: plainUnits(next) })
  }

  return (
    <form
      aria-label={text.title}
      className="space-y-2.5 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Who kind={kind} trader={trader} />
      <Choice
        label={text.side}
        value={draft.side}
        options={[
          ['BUY', t.trade.sides.BUY],
          ['SELL', t.trade.sides.SELL],
        ]}
        onChange={(side) => setDraft({ side })}
        tone={draft.side === 'BUY' ? 'text-good' : 'text-bad'}
      />
      <Choice
        label={text.type}
        value={draft.orderType}
        options={[
          ['LIMIT', text.limit],
          ['MARKET', text.market],
        ]}
        onChange={(orderType) => setDraft({ orderType })}
      />
      <Field
        label={text.price}
        ref={fields.price}
        inputMode="decimal"
        disabled={isMarket}
        unit={text.quote}
        value={isMarket ? '' : draft.price}
        placeholder={isMarket ? text.bestPrice : ''}
        onChange={(price) => setDraft({ price })}
        onKeyDown={step}
        fault={faults.price}
      />
      <Field
        label={text.quantity}
        ref={fields.quantity}
        inputMode="decimal"
        unit={book.symbol}
        value={draft.quantity}
        onChange={(quantity) => setDraft({ quantity })}
        fault={faults.quantity}
      />
      {isMarket ? null : <Terms {...{ draft, setDraft, isAuction }} />}
      <div className="min-h-[9.2rem]">
        <Facts>
          <Fact name={text.value}>
            <Figure units={terms.value} unit={text.quote} />
          </Fact>
          <Fact name={`${text.fee} (${text.feeBps(book.makerFeeBps, book.takerFeeBps)})`}>
            <Figure units={terms.fee} unit={text.quote} />
          </Fact>
          <Fact name={text.reserves}>
            <Figure units={terms.reserved} unit={unit} />
          </Fact>
          <Fact name={text.available}>
            <Figure units={available ?? undefined} unit={unit} />
          </Fact>
        </Facts>
      </div>
      <Button
        type="submit"
        look="primary"
        className={`w-full ${draft.side === 'BUY' ? '!bg-good' : '!bg-bad'} !text-panel`}
        disabled={!isReady || isBusy || isClosed || (kind !== 'offchain' && !trader.wallet)}
      >
        {isBusy ? t.signing.signing : `${t.trade.sides[draft.side]} ${book.symbol}`}
      </Button>
      <div className="min-h-9" aria-live="polite">
        {isClosed ? (
          <Notice tone="warn">{text.closed}</Notice>
        ) : placing.said ? (
          <Notice tone={placing.said.tone}>{placing.said.text}</Notice>
        ) : isShort ? (
          <Notice tone="warn">{text.short}</Notice>
        ) : (terms.left ?? 0n) > 0n ? (
          <Notice tone="warn">
            {text.thin} {showUnits(terms.left ?? 0n)} {book.symbol}
          </Notice>
        ) : null}
      </div>
    </form>
  )
}

const Figure = ({ units, unit }: { units: bigint | undefined; unit: string }) => (
  <span className="num">
    {units === undefined ? '–' : showUnits(units)}{' '}
    {units === undefined ? null : <span className="text-muted">{unit}</span>}
  </span>
)

function Who({ kind, trader }: Pick<Props, 'kind' | 'trader'>) {
  const id = useId()
  const { holder, customers, choose } = trader
  if (kind !== 'offchain')
    return (
      <p className="flex items-center justify-between gap-2 text-xs text-muted">
        {holder && 'address' in holder ? (
          <>
            {text.signer} <Address value={holder.address} />
          </>
        ) : (
          text.noWallet
        )}
      </p>
    )
  if (customers.length === 0) return <p className="text-xs text-muted">{text.noCustomer}</p>
  return (
    <div className="flex items-center justify-between gap-2">
      <label htmlFor={id} className="text-xs text-muted">
        {text.customer}
      </label>
      <select
        id={id}
        value={holder && 'customerRef' in holder ? holder.customerRef : ''}
        onChange={(event) => choose(event.target.value)}
        className="h-8 min-w-0 rounded-md border border-strong bg-panel px-2 text-sm"
      >
        {customers.map(({ customerRef, name }) => (
          <option key={customerRef} value={customerRef}>
            {name ?? customerRef}
          </option>
        ))}
      </select>
    </div>
  )
}

function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
  tone = '',
}: {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
  tone?: string
}) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="flex gap-1 rounded-md bg-raised p-1">
      {options.map(([one, shown]) => (
        <label
          key={one}
          className={`flex-1 cursor-pointer rounded px-2 py-1 text-center text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent ${one === value ? `bg-panel shadow-xs ${tone}` : 'text-muted'}`}
        >
          <input type="radio" name={name} className="sr-only" checked={one === value} onChange={() => onChange(one)} />
          {shown}
        </label>
      ))}
    </div>
  )
}

function Terms({ draft, setDraft, isAuction }: Pick<Props, 'draft' | 'setDraft'> & { isAuction: boolean }): ReactNode {
  const id = useId()
  // What an auction does not take is not offered while one collects.
  useEffect(() => {
    if (isAuction && draft.timeInForce === 'FOK') setDraft({ timeInForce: 'GTC' })
  }, [isAuction, draft.timeInForce, setDraft])
  return (
    <div className="flex items-center justify-between gap-2 text-sm">
      <label htmlFor={id} className="sr-only">
        {text.lives}
      </label>
      <select
        id={id}
        value={draft.timeInForce}
        onChange={(event) => setDraft({ timeInForce: event.target.value as Draft['timeInForce'] })}
        className="h-8 rounded-md border border-strong bg-panel px-2 text-sm"
      >
        {(isAuction ? (['GTC', 'IOC'] as const) : (['GTC', 'IOC', 'FOK'] as const)).map((one) => (
          <option key={one} value={one}>
            {text.lifetimes[one]}
          </option>
        ))}
      </select>
      <label className="flex items-center gap-1.5">
        <input
          type="checkbox"
          checked={draft.postOnly}
          disabled={draft.timeInForce !== 'GTC' || isAuction}
          onChange={(event) => setDraft({ postOnly: event.target.checked })}
        />
        {text.postOnly}
      </label>
    </div>
  )
}
