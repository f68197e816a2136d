import { exact, type Place, type SelfTradePrevention } from '@tallystick/engine'
import type { Address, Hex } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import { accountOf, type Party } from '../unit/index.rules.ts'
import { unitsDown } from './chain-units.rules.ts'
import { type ChainSize, type OnchainBook, sizeOnChain } from './onchain-book.ts'
import { requireMaxFee, requireNonce } from './order-terms.ts'
import { orderDomain, orderHashOf, type SignedOrder } from './signed-order.rules.ts'

/** A signed order as it was sent. */
export interface SignedRequest {
  readonly userAddress: string
  readonly side: 'BUY' | 'SELL'
  readonly orderType?: 'LIMIT' | 'MARKET'
  readonly price?: string
  readonly quantity: string
  readonly maxFee?: string
  readonly expiry: number | string
  readonly nonce: string
  readonly salt: string
  readonly signature?: string
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  readonly postOnly?: boolean
  readonly selfTradePreventionMode?: SelfTradePrevention
  readonly clientOrderId?: string
  /** A liquidation: outside of the price band, and why stays with the order. */
  readonly standingReason?: string
}

/** The same, understood: what the book would do, and what was signed for it. */
export interface Draft {
  readonly party: Party
  readonly orderId: string
  readonly hash: Hex
  readonly signature: Hex
  readonly signed: SignedOrder
  readonly quoteAmount: bigint
  readonly clientOrderId: string | null
  readonly standingReason: string | undefined
  readonly command: Place
}

/** What can be said without looking at the book. */
function checkForm({ orderType = 'LIMIT', price, signature, postOnly, timeInForce = 'GTC' }: SignedRequest) {
  if (orderType === 'MARKET') throw new AppError('MARKET_ORDER_NOT_SUPPORTED')
  if (signature === undefined || signature === '0x') throw new AppError('SIGNATURE_REQUIRED')
  if (price === undefined) throw new AppError('PRICE_REQUIRED')
  if (postOnly && timeInForce !== 'GTC')
    throw fieldError('VALIDATION_ERROR', [{ field: 'postOnly', message: 'needs an order that rests (GTC)' }])
  return { price, signature: loweredHex(signature) }
}

export interface SigningTerms {
  readonly trader: Address
  readonly side: 'BUY' | 'SELL'
  readonly maxFee: bigint
  readonly expiry: number
  readonly nonce: bigint
  readonly salt: Hex
}

/** What the trader of an order on this book signs. */
export const orderToSign = (book: OnchainBook, size: ChainSize, terms: SigningTerms): SignedOrder => ({
  trader: terms.trader,
  token: book.token,
  quote: book.quote,
  isBuy: terms.side === 'BUY',
  quantity: size.quantity,
  price: size.price,
  maxFee: terms.maxFee,
  expiry: BigInt(terms.expiry),
  nonce: terms.nonce,
  salt: terms.salt,
})

export const hashOnBook = (book: OnchainBook, order: SignedOrder): Hex =>
  orderHashOf(orderDomain(book.class, book.chainId, book.custody), order)

const MILLISECONDS = 1_000

export function draftOf(book: OnchainBook, instanceId: string, orderId: string, request: SignedRequest): Draft {
  const { price, signature } = checkForm(request)
  const trader = requireAddressField('userAddress', request.userAddress)
  const size = sizeOnChain(book, { quantity: request.quantity, price })
  const expiry = Number(request.expiry)
  const signed = orderToSign(book, size, {
    trader,
    side: request.side,
    maxFee: requireMaxFee(request.maxFee ?? '0'),
    expiry,
    nonce: requireNonce(request.nonce),
    salt: loweredHex(request.salt),
  })
  const party = { instanceId, holder: trader }
  return {
    party,
    orderId,
    hash: hashOnBook(book, signed),
    signature,
    signed,
    quoteAmount: size.notional,
    clientOrderId: request.clientOrderId ?? null,
    standingReason: request.standingReason,
    command: {
      kind: 'place',
      at: 0,
      order: orderId,
      book: book.bookId,
      account: accountOf(party),
      side: request.side,
      type: 'LIMIT',
      timeInForce: request.timeInForce ?? 'GTC',
      postOnly: request.postOnly ?? false,
      selfTradePrevention: request.selfTradePreventionMode ?? 'NONE',
      price: exact(BigInt(price)),
      quantity: exact(BigInt(request.quantity)),
      expiresAt: expiry * MILLISECONDS,
      maxFee: exact(unitsDown(signed.maxFee, book.quoteDecimals)),
      ...(request.standingReason === undefined ? {} : { bandExempt: true }),
    },
  }
}
