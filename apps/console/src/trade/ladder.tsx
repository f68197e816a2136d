import { memo } from 'react'
import type { Order, Trade } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import type { Feed, Level } from './feed.ts'
import { showUnits } from './units.ts'
import { useFeedPart } from './use-feed.ts'

const text = t.trade.ladder

/** Rows of a side. All of them are always there: nothing moves when a level comes or goes. */
const ROWS = 11

interface Row {
  readonly level: Level | undefined
  /** All that stands between this price and the middle. */
  readonly sum: bigint
}

function rowsOf(levels: readonly Level[]): Row[] {
  let sum = 0n
  return Array.from({ length: ROWS }, (_, at) => {
    const level = levels[at]
    sum += BigInt(level?.quantity ?? 0)
    return { level, sum }
  })
}

interface Props {
  readonly feed: Feed
  readonly digits: number
  readonly own: readonly Order[]
  readonly onPick: (price: string, side: 'BUY' | 'SELL') => void
}

/** The best prices of both sides, the spread between them. A price is taken over into the ticket with a click. */
export const Ladder = memo(function Ladder({ feed, digits, own, onPick }: Props) {
  const bids = rowsOf(useFeedPart(feed, (state) => state.bids))
  const asks = rowsOf(useFeedPart(feed, (state) => state.asks))
  const largest = [bids.at(-1)?.sum ?? 0n, asks.at(-1)?.sum ?? 0n].reduce((a, b) => (a > b ? a : b), 1n)
  const mine = new Set(own.map(({ side, price }) => `${side} ${price}`))
  const side = (rows: readonly Row[], of: 'BUY' | 'SELL') =>
    rows.map(({ level, sum }, at) => (
      <LadderRow
        // The place is what stays: levels come and go in it.
        key={`${of}-${String(at)}`}
        {...{ digits, of, onPick }}
        price={level?.price}
        quantity={level?.quantity}
        sum={sum.toString()}
        share={Number((sum * 100n) / largest)}
        isOwn={level !== undefined && mine.has(`${of} ${level.price}`)}
      />
    ))
  return (
    <table className="w-full table-fixed border-collapse text-xs">
      <thead>
        <tr className="h-7 text-left text-muted">
          <th scope="col" className="px-2 font-medium">
            {text.price}
          </th>
          <th scope="col" className="px-2 text-right font-medium">
            {text.quantity}
          </th>
          <th scope="col" className="px-2 text-right font-medium">
            {text.sum}
          </th>
        </tr>
      </thead>
      <tbody aria-label={text.asks}>{side(asks, 'SELL').toReversed()}</tbody>
      <tbody>
        <Middle feed={feed} digits={digits} bid={bids[0]?.level?.price} ask={asks[0]?.level?.price} />
      </tbody>
      <tbody aria-label={text.bids}>{side(bids, 'BUY')}</tbody>
    </table>
  )
})

interface RowProps extends Pick<Props, 'digits' | 'onPick'> {
  readonly price: string | undefined
  readonly quantity: string | undefined
  readonly sum: string
  /** Of the deeper side, in percent. */
  readonly share: number
  readonly of: 'BUY' | 'SELL'
  readonly isOwn: boolean
}

/** Of plain values: one that stays as it is, is not drawn again. */
const LadderRow = memo(function LadderRow({ price, quantity, sum, share, digits, of, isOwn, onPick }: RowProps) {
  if (price === undefined || quantity === undefined)
    return (
      <tr className="h-[1.3rem]">
        <td className="px-2 text-muted">&nbsp;</td>
        <td />
        <td />
      </tr>
    )
  const color = of === 'BUY' ? 'var(--good-soft)' : 'var(--bad-soft)'
  return (
    <tr
      className="h-[1.3rem]"
      style={{ backgroundImage: `linear-gradient(to left, ${color} ${share}%, transparent ${share}%)` }}
    >
      <td className="px-2">
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${text.pick} ${showUnits(price, digits)}`}
          className={`num font-medium ${of === 'BUY' ? 'text-good' : 'text-bad'}`}
          onClick={() => onPick(price, of === 'BUY' ? 'SELL' : 'BUY')}
        >
          {showUnits(price, digits)}
          {isOwn ? <span title={text.own}> •</span> : null}
        </button>
      </td>
      <td className="num px-2 text-right">{showUnits(quantity)}</td>
      <td className="num px-2 text-right text-muted">{showUnits(sum)}</td>
    </tr>
  )
})

/** Whether a trade was above or below the one before it. */
export const directionOf = ([last, before]: readonly Trade[]): 'up' | 'down' | 'same' => {
  if (!last || !before || last.price === before.price) return 'same'
  return BigInt(last.price) > BigInt(before.price) ? 'up' : 'down'
}

interface MiddleProps extends Pick<Props, 'feed' | 'digits'> {
  readonly bid: string | undefined
  readonly ask: string | undefined
}

function Middle({ feed, digits, bid, ask }: MiddleProps) {
  const tape = useFeedPart(feed, (state) => state.tape)
  const [last] = tape
  const spread = bid && ask ? BigInt(ask) - BigInt(bid) : undefined
  const direction = directionOf(tape)
  const color = { up: 'text-good', down: 'text-bad', same: 'text-ink' }[direction]
  return (
    <tr className="h-9 border-y border-line">
      <td className={`num px-2 text-lg font-medium ${color}`} colSpan={2}>
        {last ? showUnits(last.price, digits) : '–'}
        <span aria-hidden="true"> {{ up: '↑', down: '↓', same: '' }[direction]}</span>
      </td>
      <td className="num px-2 text-right text-muted">
        {text.spread} {spread === undefined ? '–' : showUnits(spread, digits)}
      </td>
    </tr>
  )
}
