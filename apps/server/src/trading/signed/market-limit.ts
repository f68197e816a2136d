import { AppError, fieldError } from '../../platform/app-error.ts'
import { type BookRow, bandOf, toleranceOf } from '../books/index.rules.ts'
import { proposedMaxFee } from './order-terms.ts'

export interface RequestedPrice {
  readonly side: 'BUY' | 'SELL'
  readonly orderType?: 'LIMIT' | 'MARKET'
  readonly price?: string
  readonly quantity: string
}

/** The limit to sign, and the most in fees that goes with it. */
export interface Limit {
  readonly price: bigint
  readonly maxFee: bigint
  /** A market order is signed as a limit, and sent as this. */
  readonly submitAs?: { readonly orderType: 'LIMIT'; readonly timeInForce: 'IOC'; readonly price: string }
}

type Reference = Pick<
  BookRow,
  | 'priceRefEnabled'
  | 'priceRefLastPrice'
  | 'priceRefLastUpdated'
  | 'priceRefSpreadBps'
  | 'priceRefHaltOnStale'
  | 'priceRefStaleTolerance'
  | 'priceRefEnforcement'
  | 'tickSize'
>

/** The outermost prices that the book would take now: ticks inside of the band, both included. */
export function edgesOf(row: Reference, now: Date): { lower: bigint; upper: bigint } {
  const { priceRefLastPrice: reference, priceRefLastUpdated: updated, priceRefSpreadBps: spreadBps, tickSize } = row
  if (!row.priceRefEnabled || spreadBps === null)
    throw new AppError('MARKET_ORDER_NOT_SUPPORTED', {
      detail:
        'This book has no price band, so there is no worst price to sign. Prepare a LIMIT order with the worst price that you accept, and send it with timeInForce IOC.',
    })
  const band = bandOf(reference, spreadBps)
  if (band === null || updated === null) throw new AppError('PRICE_REF_UNAVAILABLE')
  if (row.priceRefHaltOnStale && now.getTime() - updated.getTime() > toleranceOf(row) * 1_000)
    throw new AppError('PRICE_REF_STALE')
  const lower = ((band.lower + tickSize - 1n) / tickSize) * tickSize
  const upper = (band.upper / tickSize) * tickSize
  if (upper < lower || upper === 0n)
    throw new AppError('MARKET_ORDER_NOT_SUPPORTED', {
      detail: 'No tick of this book lies inside of its price band. Its owner has to widen the band or lower the tick.',
    })
  return { lower: lower === 0n ? tickSize : lower, upper }
}

/** What was asked for as a limit: the price that was sent, or for a market order the far edge of the band. */
export function limitFor(row: BookRow, request: RequestedPrice, now: Date): Limit {
  const { side, orderType = 'LIMIT', price: sent } = request
  const quantity = BigInt(request.quantity)
  if (orderType === 'LIMIT') {
    if (sent === undefined) throw fieldError('VALIDATION_ERROR', [{ field: 'price', message: 'is required' }])
    const price = BigInt(sent)
    return { price, maxFee: proposedMaxFee(row, side, quantity, price) }
  }
  if (sent !== undefined)
    throw fieldError('VALIDATION_ERROR', [{ field: 'price', message: 'must be absent on a MARKET order' }])
  const { lower, upper } = edgesOf(row, now)
  const price = side === 'BUY' ? upper : lower
  return {
    price,
    // A sale may get any price of the band, and pays its fee on that.
    maxFee: proposedMaxFee(row, 'BUY', quantity, upper),
    submitAs: { orderType: 'LIMIT', timeInForce: 'IOC', price: price.toString() },
  }
}
