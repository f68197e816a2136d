import type { Wallet } from '@tallystick/sdk'
import { Link } from '@tanstack/react-router'
import { accept, cancelRequest, type Quote, type Request } from '../api/rfq.ts'
import type { Book } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { notionalDown, showUnits } from '../trade/units.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Address } from '../ui/figures.tsx'
import { Panel } from '../ui/panel.tsx'
import { Countdown } from './countdown.tsx'
import type { Said } from './outcome.ts'
import { isAlive, ranked } from './requests.ts'
import { useAttempt } from './use-attempt.ts'

const text = t.rfq

export const titleOf = ({ side, baseAmount }: Request, book: Book | undefined) =>
  `${text.wants[side]} ${showUnits(baseAmount)} ${book?.symbol ?? ''}`.trim()

/** An own request with the quotes that came in, the best first. */
export function RequestCard({
  request,
  book,
  now,
  wallet,
  said,
  onSaid,
}: {
  request: Request
  book: Book | undefined
  now: number
  wallet: Wallet | undefined
  said: Said | undefined
  onSaid: (said: Said | undefined) => void
}) {
  const { attempt, isBusy } = useAttempt(request.id, onSaid)
  const isOpen = isAlive(request, now)
  const quotes = isOpen ? ranked(request, now) : []

  return (
    <Panel
      flush
      title={
        <Link className="hover:underline" to="/rfq/$rfqId" params={{ rfqId: request.id }}>
          {titleOf(request, book)}
        </Link>
      }
      aside={
        isOpen ? (
          <>
            <Countdown until={request.expiresAt} now={now} />
            <Button
              small
              look="quiet"
              disabled={!wallet || isBusy}
              onClick={() => wallet && void attempt(() => cancelRequest(request.id, wallet), undefined)}
            >
              {text.cancel}
            </Button>
          </>
        ) : null
      }
    >
      {said ? (
        <div className="p-3">
          <Notice tone={said.tone}>{said.text}</Notice>
        </div>
      ) : null}
      {isOpen && quotes.length === 0 ? (
        <p className="px-4 py-6 text-center text-sm text-muted">{text.waiting}</p>
      ) : null}
      <ul aria-label={text.quotes} className="divide-y divide-line">
        {quotes.map((quote, at) => (
          <QuoteRow
            key={quote.id}
            {...{ quote, request, now }}
            isBest={at === 0}
            isBusy={isBusy}
            onAccept={() =>
              wallet &&
              void attempt(
                () => accept(request.id, wallet, quote.id),
                `${text.outcomes.accepted} ${showUnits(quote.price)}`,
              )
            }
          />
        ))}
      </ul>
    </Panel>
  )
}

function QuoteRow({
  quote,
  request,
  now,
  isBest,
  isBusy,
  onAccept,
}: {
  quote: Quote
  request: Request
  now: number
  isBest: boolean
  isBusy: boolean
  onAccept: () => void
}) {
  const value = notionalDown(BigInt(request.baseAmount), BigInt(quote.price))
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
      <span className={`num text-lg font-medium ${isBest ? 'text-good' : ''}`}>{showUnits(quote.price)}</span>
      <span className="num text-sm text-muted">
        {text.total} {showUnits(value)}
      </span>
      <Address value={quote.lpAddress} />
      <span className="flex items-center gap-3">
        <Countdown until={quote.validUntil} now={now} />
        <Button small look={isBest ? 'primary' : 'plain'} disabled={isBusy} onClick={onAccept}>
          {text.accept}
        </Button>
      </span>
    </li>
  )
}
