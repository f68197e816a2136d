import type { Wallet } from '@tallystick/sdk'
import { useState } from 'react'
import { type Request, quote as sendQuote, withdraw } from '../api/rfq.ts'
import { type Book, useDayFigures } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { notionalDown, showUnits, typedUnits } from '../trade/units.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Address } from '../ui/figures.tsx'
import { Panel } from '../ui/panel.tsx'
import { Countdown } from './countdown.tsx'
import type { Said } from './outcome.ts'
import { titleOf } from './request-card.tsx'
import { isQuoteAlive } from './requests.ts'
import { useAttempt } from './use-attempt.ts'

const text = t.rfq

/** A request of somebody else: what it is about, the own quote, and a price to answer with. */
export function MakerCard({
  request,
  book,
  now,
  wallet,
}: {
  request: Request
  book: Book | undefined
  now: number
  wallet: Wallet | undefined
}) {
  const [price, setPrice] = useState('')
  const [said, setSaid] = useState<Said>()
  const { attempt, isBusy } = useAttempt(request.id, setSaid)
  const wanted = typedUnits(price)
  const address = wallet?.account.address.toLowerCase()
  const own = request.quotes.find((one) => one.lpAddress === address && isQuoteAlive(one, now))
  const others = request.quotes.filter((one) => one.lpAddress !== address && isQuoteAlive(one, now)).length

  return (
    <Panel title={titleOf(request, book)} aside={<Countdown until={request.expiresAt} now={now} />}>
      <div className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-1 text-sm">
        <span className="flex items-center gap-2 text-muted">
          {text.from} <Address value={request.requesterAddress} />
        </span>
        {book ? <Reference book={book} /> : null}
        <span className="text-muted">
          {text.others} <span className="num text-ink">{others}</span>
        </span>
      </div>
      {own ? (
        <p className="mb-3 flex flex-wrap items-center gap-3 text-sm">
          {text.yours} <span className="num font-medium">{showUnits(own.price)}</span>
          <Countdown until={own.validUntil} now={now} />
          <Button
            small
            disabled={isBusy || !wallet}
            onClick={() => wallet && void attempt(() => withdraw(request.id, own.id, wallet), text.outcomes.withdrawn)}
          >
            {text.withdraw}
          </Button>
        </p>
      ) : null}
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (wallet && wanted !== undefined)
            void attempt(() => sendQuote(request.id, wallet, wanted), `${text.outcomes.quoted} ${showUnits(wanted)}`)
        }}
      >
        <Field
          className="w-56"
          label={text.price}
          inputMode="decimal"
          unit={t.trade.ticket.quote}
          value={price}
          onChange={setPrice}
          fault={price.trim() !== '' && wanted === undefined ? t.loans.notNumber : undefined}
          aside={
            wanted === undefined ? undefined : (
              <span className="num">
                {text.total} {showUnits(notionalDown(BigInt(request.baseAmount), wanted))}
              </span>
            )
          }
        />
        <Button type="submit" look="primary" disabled={isBusy || wanted === undefined || !wallet}>
          {isBusy ? t.signing.signing : own ? text.requote : text.quote}
        </Button>
      </form>
      {said ? (
        <div className="mt-3">
          <Notice tone={said.tone}>{said.text}</Notice>
        </div>
      ) : null}
    </Panel>
  )
}

function Reference({ book }: { book: Book }) {
  const { data } = useDayFigures('stocks', book.id)
  const reference = data?.priceReference
  if (!reference) return null
  return (
    <span className="text-muted">
      {t.trade.reference} <span className="num text-ink">{reference.price}</span>
      {reference.lowerBound && reference.upperBound ? (
        <span className="num">
          {' '}
          ({reference.lowerBound} – {reference.upperBound})
        </span>
      ) : null}
    </span>
  )
}
