import { useState } from 'react'
import { amendOrder, type Book, type Holder, type Kind, type Order } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { messageOf } from '../ui/loading.tsx'
import { plainUnits, typedUnits } from './units.ts'

const text = t.trade.amend

/** Another price or quantity of a resting order. What was signed can only become smaller. */
export function Amend({
  kind,
  book,
  order,
  holder,
  onDone,
  onClose,
}: {
  kind: Kind
  book: Book
  order: Order
  holder: Holder
  onDone: () => void
  onClose: () => void
}) {
  const isSigned = kind !== 'offchain'
  const [price, setPrice] = useState(order.price === null ? '' : plainUnits(BigInt(order.price)))
  const [quantity, setQuantity] = useState(plainUnits(BigInt(order.quantity)))
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [wantedPrice, wanted] = [typedUnits(price), typedUnits(quantity)]

  async function submit() {
    if (wanted === undefined || isBusy) return
    const isOtherPrice = wantedPrice !== undefined && wantedPrice.toString() !== order.price
    const isOther = wanted.toString() !== order.quantity
    if (!isOther && !isOtherPrice) return onClose()
    setBusy(true)
    try {
      await amendOrder(kind, order.orderId, holder, {
        ...(isOtherPrice && !isSigned ? { price: wantedPrice.toString() } : {}),
        ...(isOther ? { quantity: wanted.toString() } : {}),
      })
      onDone()
      onClose()
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title={text.title} about={`${t.trade.sides[order.side]} ${book.symbol}`} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {isSigned ? null : (
          <Field
            label={t.trade.ticket.price}
            inputMode="decimal"
            unit={t.trade.ticket.quote}
            value={price}
            onChange={setPrice}
          />
        )}
        <Field
          label={text.quantity}
          inputMode="decimal"
          unit={book.symbol}
          value={quantity}
          onChange={setQuantity}
          help={isSigned ? text.smaller : text.place}
        />
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button type="submit" look="primary" className="w-full" disabled={isBusy || wanted === undefined}>
          {text.change}
        </Button>
      </form>
    </Dialog>
  )
}
