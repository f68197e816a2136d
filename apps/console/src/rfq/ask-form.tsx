import type { Wallet } from '@tallystick/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { askForQuotes, REQUESTS } from '../api/rfq.ts'
import type { Book, Side } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { typedUnits } from '../trade/units.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { messageOf } from '../ui/loading.tsx'
import { Empty, Panel } from '../ui/panel.tsx'

const text = t.rfq
const LIFETIMES = [15, 30, 60] as const
const SELECT = 'mt-1 h-10 w-full rounded-md border border-strong bg-panel px-2 text-base'

export function AskForm({ stocks, wallet }: { stocks: readonly Book[]; wallet: Wallet | undefined }) {
  const client = useQueryClient()
  const [bookId, setBook] = useState('')
  const [side, setSide] = useState<Side>('BUY')
  const [amount, setAmount] = useState('')
  const [seconds, setSeconds] = useState(30)
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const ids = { book: useId(), side: useId(), life: useId() }
  const book = stocks.find(({ id }) => id === bookId) ?? stocks[0]
  const wanted = typedUnits(amount)
  if (!book)
    return (
      <Panel title={text.ask}>
        <Empty title={text.noBook}>{text.noBookAbout}</Empty>
      </Panel>
    )

  async function ask(of: Book) {
    if (!wallet || wanted === undefined || isBusy) return
    setBusy(true)
    setFault(undefined)
    try {
      await askForQuotes(of, wallet, { side, baseAmount: wanted, expiryMs: seconds * 1000 })
      setAmount('')
      void client.invalidateQueries({ queryKey: REQUESTS })
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Panel title={text.ask}>
      <form
        aria-label={text.ask}
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          void ask(book)
        }}
      >
        <div>
          <label htmlFor={ids.book} className="text-sm font-medium">
            {text.book}
          </label>
          <select id={ids.book} className={SELECT} value={book.id} onChange={(event) => setBook(event.target.value)}>
            {stocks.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name} · {one.symbol}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor={ids.side} className="text-sm font-medium">
            {text.side}
          </label>
          <select
            id={ids.side}
            className={SELECT}
            value={side}
            onChange={(event) => setSide(event.target.value as Side)}
          >
            <option value="BUY">{text.wants.BUY}</option>
            <option value="SELL">{text.wants.SELL}</option>
          </select>
        </div>
        <Field
          label={text.amount}
          inputMode="decimal"
          unit={book.symbol}
          value={amount}
          onChange={setAmount}
          fault={amount.trim() !== '' && wanted === undefined ? t.loans.notNumber : undefined}
        />
        <div>
          <label htmlFor={ids.life} className="text-sm font-medium">
            {text.lives}
          </label>
          <select
            id={ids.life}
            className={SELECT}
            value={seconds}
            onChange={(event) => setSeconds(Number(event.target.value))}
          >
            {LIFETIMES.map((one) => (
              <option key={one} value={one}>
                {one} s
              </option>
            ))}
          </select>
        </div>
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button type="submit" look="primary" className="w-full" disabled={isBusy || wanted === undefined || !wallet}>
          {text.ask}
        </Button>
      </form>
    </Panel>
  )
}
