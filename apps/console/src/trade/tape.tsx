import { memo } from 'react'
import type { Trade } from '../api/trading.ts'
import { showUtc } from '../lib/format.ts'
import { t } from '../texts/index.ts'
import { Empty } from '../ui/panel.tsx'
import type { Feed } from './feed.ts'
import { showUnits } from './units.ts'
import { useFeedPart } from './use-feed.ts'

const text = t.trade.tape
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Everything that was traded, newest first. What failed to settle is struck out. */
export function Tape({ feed, digits }: { feed: Feed; digits: number }) {
  const trades = useFeedPart(feed, ({ tape }) => tape)
  if (trades.length === 0) return <Empty title={text.empty}>{text.emptyAbout}</Empty>
  return (
    <table className="w-full table-fixed border-collapse text-xs">
      <thead className="sticky top-0 bg-panel">
        <tr className="h-7 text-left text-muted">
          <th scope="col" className="px-3 font-medium">
            {t.trade.ladder.price}
          </th>
          <th scope="col" className="px-3 text-right font-medium">
            {t.trade.ladder.quantity}
          </th>
          <th scope="col" className="px-3 text-right font-medium">
            {text.time}
          </th>
        </tr>
      </thead>
      <tbody>
        {trades.map((trade) => (
          <TapeRow key={trade.tradeId} trade={trade} digits={digits} />
        ))}
      </tbody>
    </table>
  )
}

const TapeRow = memo(function TapeRow({ trade, digits }: { trade: Trade; digits: number }) {
  const { side, price, quantity, createdAt, settlementStatus, origin } = trade
  const at = new Date(createdAt)
  const isFailed = settlementStatus === 'FAILED'
  return (
    <tr className={`h-[1.3rem] ${isFailed ? 'text-muted line-through' : ''}`}>
      <td className={`num px-3 ${isFailed ? '' : side === 'BUY' ? 'text-good' : 'text-bad'}`}>
        {showUnits(price, digits)}
        <span className="sr-only"> {t.trade.sides[side]}</span>
        {origin === 'CLOB' ? null : <span className="text-muted no-underline"> {text.origins[origin]}</span>}
      </td>
      <td className="num px-3 text-right">{showUnits(quantity)}</td>
      <td className="num px-3 text-right text-muted" title={showUtc(at)}>
        {clock.format(at)}
      </td>
    </tr>
  )
})
