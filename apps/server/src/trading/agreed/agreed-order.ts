import { type Amount, exact, MAX_AMOUNT, notionalDown, plus, type Side } from '@tallystick/engine'
import type { Address, Hex } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import { asDecimal, bandOf, toleranceOf } from '../books/index.rules.ts'
import { type SignedOrder, stepOf, unitsDown } from '../signed/index.rules.ts'
import { hashOnBook, type OnchainBook, orderToSign, requireNonce, sizeOnChain } from '../signed/index.ts'
import { roundedOff } from '../unit/index.rules.ts'

/** What is spoken for of a wallet's funds, in order book units. */
export interface Hold {
  readonly holder: string
  readonly tokenAddress: string
  readonly amount: Amount
}

/** One side of a trade that two parties agree on outside of the book. */
export interface AgreedTerms {
  readonly trader: Address
  readonly side: Side
  readonly quantity: Amount
  readonly price: Amount
}

export interface SignedTerms {
  readonly expiry: number | string
  readonly nonce: string
  readonly salt: string
}

/** What a party signs for it: an order for the whole trade, at no fee. */
export interface AgreedOrder {
  readonly signed: SignedOrder
  readonly hash: Hex
  readonly quoteAmount: bigint
  readonly hold: Hold
}

/** An amount that both the book and the token can tell. */
export function requireAmount({ baseDecimals }: OnchainBook, field: string, text: string): Amount {
  const [amount, step] = [BigInt(text), stepOf(baseDecimals)]
  if (amount > 0n && amount <= MAX_AMOUNT && amount % step === 0n) return exact(amount)
  const message = `must be above zero, at most 2^63-1, and a multiple of ${step}`
  throw fieldError('VALIDATION_ERROR', [{ field, message }])
}

/** A price at which the amount cannot settle is no price for it. */
export function requireSettleable(book: OnchainBook, { quantity, price }: Pick<AgreedTerms, 'quantity' | 'price'>) {
  const request = { quantity: quantity.toString(), price: price.toString() }
  try {
    if (notionalDown(quantity, price) > MAX_AMOUNT) throw new AppError('ORDER_TOO_LARGE')
    return { ...request, size: sizeOnChain(book, request) }
  } catch (error) {
    const isOfBoth = error instanceof AppError && ['ORDER_TOO_SMALL', 'ORDER_TOO_LARGE'].includes(error.code)
    throw isOfBoth
      ? new AppError('INVALID_PRICE', { detail: 'At this price the amount is worth too little or too much.' })
      : error
  }
}

export function agreedOrder(book: OnchainBook, terms: AgreedTerms, request: SignedTerms): AgreedOrder {
  const { trader, side, quantity, price } = terms
  const { size } = requireSettleable(book, terms)
  const signed = orderToSign(book, size, {
    trader,
    side,
    maxFee: 0n,
    expiry: Number(request.expiry),
    nonce: requireNonce(request.nonce),
    salt: loweredHex(request.salt),
  })
  const spent = plus(notionalDown(quantity, price), roundedOff(book, { quantity, price }))
  const hold =
    side === 'SELL'
      ? { holder: trader, tokenAddress: book.token, amount: quantity }
      : { holder: trader, tokenAddress: book.quote, amount: spent }
  return { signed, hash: hashOnBook(book, signed), quoteAmount: size.notional, hold }
}

const decimalsOf = (book: OnchainBook, tokenAddress: string): number =>
  tokenAddress === book.token ? book.baseDecimals : book.quoteDecimals

/** Order book units of a token in its smallest units; what it cannot tell is left out. */
const onChainDown = (book: OnchainBook, tokenAddress: string, units: bigint): bigint =>
  (units * 10n ** BigInt(decimalsOf(book, tokenAddress))) / 1_000_000n

/** What there is on chain, as backing for what is spoken for. */
export const backingUnits = (book: OnchainBook, tokenAddress: string, backing: bigint): bigint =>
  unitsDown(backing, decimalsOf(book, tokenAddress))

export function requireBacked(
  book: OnchainBook,
  { tokenAddress, amount }: Hold,
  backing: bigint,
  reserved: Amount,
): void {
  const available = backingUnits(book, tokenAddress, backing) - BigInt(reserved)
  if (BigInt(amount) <= available) return
  const shown = (units: bigint) => onChainDown(book, tokenAddress, units < 0n ? 0n : units).toString()
  throw new AppError('INSUFFICIENT_CUSTODY_BALANCE', {
    extra: { required: shown(BigInt(amount)), available: shown(available), tokenAddress },
  })
}

export interface PriceReference {
  readonly priceRefEnabled: boolean
  readonly priceRefHaltOnStale: boolean
  readonly priceRefLastUpdated: Date | null
  readonly priceRefLastPrice: bigint | null
  readonly priceRefSpreadBps: number | null
  readonly priceRefStaleTolerance: number | null
  readonly priceRefEnforcement: string
}

/** The price beside the reference of the book, as it is at this moment. */
export function requireInBand(book: PriceReference, price: Amount, now: Date): void {
  const { priceRefLastUpdated: updated, priceRefLastPrice: reference, priceRefSpreadBps: spreadBps } = book
  if (!book.priceRefEnabled) return
  if (book.priceRefHaltOnStale) {
    if (updated === null) throw new AppError('PRICE_REF_UNAVAILABLE')
    if (now.getTime() - updated.getTime() > toleranceOf(book) * 1_000) throw new AppError('PRICE_REF_STALE')
  }
  const band = bandOf(reference, spreadBps)
  if (band === null || (price >= band.lower && price <= band.upper)) return
  throw new AppError('QUOTE_PRICE_OUT_OF_BOUNDS', {
    extra: {
      referencePrice: asDecimal(reference ?? 0n),
      lowerBound: asDecimal(band.lower),
      upperBound: asDecimal(band.upper),
      spreadBps,
    },
  })
}
