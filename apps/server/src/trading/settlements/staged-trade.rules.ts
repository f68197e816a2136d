import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import type { BookClass } from '../books/index.rules.ts'
import {
  bytes32OfUuid,
  chainFeeDown,
  exactChainAmount,
  quoteAmountDown,
  type SignedOrder,
} from '../signed/index.rules.ts'

/** One side of a trade: what its trader signed. */
export interface SignedSide {
  readonly orderId: string
  readonly orderHash: Hex
  readonly order: SignedOrder
  readonly signature: Hex
}

/** A trade that waits for its settlement, in order book units. */
export interface StagedTrade {
  readonly tradeId: string
  /** How the engine knows it. */
  readonly number: number
  readonly price: bigint
  readonly quantity: bigint
  readonly makerQuoteFee: bigint
  readonly takerQuoteFee: bigint
  readonly maker: SignedSide
  readonly taker: SignedSide
}

/** Where a settlement takes place. */
export interface Market {
  readonly class: BookClass
  readonly chainId: number
  readonly custody: Address
  readonly token: Address
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

/** One trade as the contracts take it. */
export interface Fill {
  readonly tradeRef: Hex
  readonly maker: SignedOrder
  readonly makerSignature: Hex
  readonly taker: SignedOrder
  readonly takerSignature: Hex
  readonly quantity: bigint
  readonly price: bigint
  readonly makerFee: bigint
  readonly takerFee: bigint
}

/** What was matched in steps of the tokens is told by them exactly. */
function exactly(units: bigint, decimals: number): bigint {
  const amount = exactChainAmount(units, decimals)
  if (amount === null) throw new Error(`a trade of ${units} units is finer than its token`)
  return amount
}

export function fillOf(trade: StagedTrade, { baseDecimals, quoteDecimals }: Market): Fill {
  const { maker, taker } = trade
  return {
    tradeRef: bytes32OfUuid(trade.tradeId),
    maker: maker.order,
    makerSignature: maker.signature,
    taker: taker.order,
    takerSignature: taker.signature,
    quantity: exactly(trade.quantity, baseDecimals),
    price: exactly(trade.price, quoteDecimals),
    makerFee: chainFeeDown(trade.makerQuoteFee, quoteDecimals),
    takerFee: chainFeeDown(trade.takerQuoteFee, quoteDecimals),
  }
}

/** What settles once on chain: exactly this trade, under its name. Contracts of the generation before go by the name alone. */
export function tradeKeyOf(trade: StagedTrade, market: Market): Hex {
  const { tradeRef, quantity, price, makerFee, takerFee } = fillOf(trade, market)
  return keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, uint256, uint256, int256, uint256'), [
      tradeRef,
      trade.maker.orderHash,
      trade.taker.orderHash,
      quantity,
      price,
      makerFee,
      takerFee,
    ]),
  )
}

/** What the event of the custody contract must say for the trade to be the one that was settled. */
export function expectedEvent(trade: StagedTrade, market: Market) {
  const { tradeRef, maker, taker, quantity, price, makerFee, takerFee } = fillOf(trade, market)
  return {
    tradeRef,
    makerHash: trade.maker.orderHash,
    takerHash: trade.taker.orderHash,
    maker: maker.trader,
    taker: taker.trader,
    token: maker.token,
    quote: maker.quote,
    quantity,
    quoteAmount: quoteAmountDown(quantity, price, market.baseDecimals),
    makerFee,
    takerFee,
  }
}
