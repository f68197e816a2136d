import type { Wallet } from '@tallystick/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askForQuotes, REQUESTS } from '../api/rfq.ts'
import type { Book, Side } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { typedUnits } from '../trade/units.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { messageOf } from '../ui/loading.tsx'
import { Empty, Panel } from '../ui/panel.tsx'

const text = t.rfq
/** Seconds. */
const LIFETIMES = ['15', '30', '60'] as const
const SIDES = ['BUY', 'SELL'] as const

export function AskForm({ stocks, wallet }: { stocks: readonly Book[]; wallet: Wallet | undefined }) {
  const client = useQueryClient()
  const [bookId, setBook] = useState('')
  const [side, setSide] = useState<Side>('BUY')
  const [amount, setAmount] = useState('')
  const [seconds, setSeconds] = useState<(typeof LIFETIMES)[number]>('30')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
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
      await askForQuotes(of, wallet, { side, baseAmount: wanted, expiryMs: Number(seconds) * 1000 })
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
        <Choice
          label={text.book}
          value={book.id}
          options={stocks.map((one) => ({ value: one.id, name: `${one.name} · ${one.symbol}` }))}
          onChange={setBook}
        />
        <Choice
          label={text.side}
          value={side}
          options={SIDES.map((one) => ({ value: one, name: text.wants[one] }))}
          onChange={setSide}
        />
        <Field
          label={text.amount}
          inputMode="decimal"
          unit={book.symbol}
          value={amount}
          onChange={setAmount}
          fault={amount.trim() !== '' && wanted === undefined ? t.loans.notNumber : undefined}
        />
        <Choice
          label={text.lives}
          value={seconds}
          options={LIFETIMES.map((one) => ({ value: one, name: `${one} s` }))}
          onChange={setSeconds}
        />
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button type="submit" look="primary" className="w-full" disabled={isBusy || wanted === undefined || !wallet}>
          {text.ask}
        </Button>
      </form>
    </Panel>
  )
}
