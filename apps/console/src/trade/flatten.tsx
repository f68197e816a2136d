import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Book,
  cancelAll,
  type Holder,
  type Kind,
  listOwnTrades,
  nameOfHolder,
  type Trade,
} from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded, messageOf } from '../ui/loading.tsx'
import { Fact, Facts } from '../ui/panel.tsx'
import { showUnits } from './units.ts'
import type { Placing } from './use-place.ts'

const text = t.trade.flatten

/** What a holder bought more than it sold since midnight (UTC) on a book; below zero: sold more. Failed trades do not count. */
export function netOf(trades: readonly Trade[], own: string): bigint {
  return trades
    .filter(({ settlementStatus }) => settlementStatus !== 'FAILED')
    .reduce((sum, { side, quantity, takerAddress, makerAddress }) => {
      // Whoever trades with itself stays where it was.
      if (takerAddress === makerAddress) return sum
      const isBuyer = (takerAddress === own) === (side === 'BUY')
      return isBuyer ? sum + BigInt(quantity) : sum - BigInt(quantity)
    }, 0n)
}

async function tradesToday(kind: Kind, bookId: string, holder: Holder): Promise<readonly Trade[]> {
  const midnight = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`
  const found: Trade[] = []
  for (let cursor: string | undefined; ; ) {
    const { trades, nextCursor } = await listOwnTrades(kind, holder, cursor)
    found.push(...trades)
    const oldest = trades.at(-1)
    if (nextCursor === null || !oldest || oldest.createdAt < midnight) break
    cursor = nextCursor
  }
  return found.filter(
    ({ createdAt, orderBookId, takerOrderBookId }) =>
      createdAt >= midnight && [orderBookId, takerOrderBookId].includes(bookId),
  )
}

/** Ends all open orders of the holder on the book, and trades back at the market what today's trades came to. */
export function Flatten({
  kind,
  book,
  holder,
  open,
  placing,
  onClose,
}: {
  kind: Kind
  book: Book
  holder: Holder
  open: number
  placing: Placing
  onClose: () => void
}) {
  const own = nameOfHolder(holder)
  const net = useQuery({
    queryKey: ['net', kind, book.id, own],
    queryFn: async () => netOf(await tradesToday(kind, book.id, holder), own).toString(),
    staleTime: 0,
    gcTime: 0,
  })
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function flatten(): Promise<void> {
    setBusy(true)
    try {
      await cancelAll(kind, book.id, holder)
      // Counted again once nothing can be filled any more.
      const left = netOf(await tradesToday(kind, book.id, holder), own)
      onClose()
      if (left === 0n) return placing.say({ tone: 'good', text: text.done })
      await placing.place({
        ...{ side: left > 0n ? 'SELL' : 'BUY', orderType: 'MARKET', price: undefined, timeInForce: 'IOC' },
        ...{ quantity: left > 0n ? left : -left, postOnly: false },
      })
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title={text.title} about={book.name} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void flatten()
        }}
      >
        <p className="text-sm text-muted">{text.about}</p>
        <Loaded query={net} rows={2}>
          {(units) => (
            <Facts>
              <Fact name={text.cancels}>
                <span className="num">{open}</span>
              </Fact>
              <Fact name={BigInt(units) < 0n ? text.buys : text.sells}>
                <span className="num">
                  {showUnits(BigInt(units) < 0n ? -BigInt(units) : BigInt(units))} {book.symbol}
                </span>
              </Fact>
            </Facts>
          )}
        </Loaded>
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button
          // Anew once it can be pressed: what cannot be pressed takes no focus.
          key={net.data === undefined ? 'counting' : 'ready'}
          type="submit"
          look="danger"
          autoFocus
          className="w-full"
          disabled={isBusy || net.data === undefined}
        >
          {text.confirm}
        </Button>
      </form>
    </Dialog>
  )
}
