import type { Quote, Request, RequestNotice } from '../api/rfq.ts'

const isOpen = ({ status }: Request) => status === 'PENDING' || status === 'QUOTED'

/** By the clock of the service, whether or not it was told so: nothing can be done about what is over. */
export const isAlive = (request: Request, now: number): boolean =>
  isOpen(request) && Date.parse(request.expiresAt) > now

export const isQuoteAlive = (quote: Quote, now: number): boolean =>
  quote.status === 'ACTIVE' && Date.parse(quote.validUntil) > now

/** The best first: who sells wants most, who buys pays least. */
export function ranked(request: Request, now: number): readonly Quote[] {
  const alive = request.quotes.filter((quote) => isQuoteAlive(quote, now))
  const better = (a: Quote, b: Quote) => (BigInt(a.price) < BigInt(b.price) ? -1 : 1)
  return alive.toSorted((a, b) => (request.side === 'BUY' ? better(a, b) : better(b, a)))
}

/** The list after a notice of the stream. A request or quote may come more than once: the newer one stays. */
export function withNotice(known: readonly Request[], notice: RequestNotice): readonly Request[] {
  const { record } = notice
  if ('quoteRequestId' in record)
    return known.map((request) =>
      request.id === record.quoteRequestId
        ? { ...request, quotes: [...request.quotes.filter(({ id }) => id !== record.id), record] }
        : request,
    )
  const before = known.find(({ id }) => id === record.id)
  if (before && before.updatedAt > record.updatedAt) return known
  const next = { ...record, quotes: before?.quotes ?? [] }
  return before ? known.map((request) => (request.id === record.id ? next : request)) : [next, ...known]
}
