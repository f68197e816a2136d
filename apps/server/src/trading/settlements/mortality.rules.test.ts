import type { Address, Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { SignedOrder } from '../signed/index.rules.ts'
import { settlementReverts } from '../signed/index.ts'
import { type NeverReason, neverAfter, neverMessages, type OrderOnChain } from './mortality.rules.ts'
import type { Market, SignedSide, StagedTrade } from './staged-trade.rules.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const NOW = 1_800_000_000
const market: Market = {
  ...{ class: 'stocks', chainId: 1, custody: address('a'), token: address('b'), baseDecimals: 18, quoteDecimals: 6 },
}
const order: SignedOrder = {
  ...{ trader: address('1'), token: address('b'), quote: address('c'), isBuy: false, maxFee: 0n },
  ...{ quantity: 10n ** 18n, price: 100_000_000n, expiry: BigInt(NOW), nonce: 5n, salt: `0x${'ab'.repeat(32)}` },
}
const side = (request: Partial<SignedOrder> = {}): SignedSide => ({
  ...{
    orderId: request.isBuy ? 'taker' : 'maker',
    orderHash: '0x01',
    signature: '0x',
    order: { ...order, ...request },
  },
})
const buy = { isBuy: true, trader: address('2') }
const trade = (maker: Partial<SignedOrder> = {}, taker: Partial<SignedOrder> = {}): StagedTrade => ({
  ...{ tradeId: '01890000-0000-7000-8000-000000000001', number: 1, price: 100_000_000n, quantity: 1_000_000n },
  ...{ makerQuoteFee: 0n, takerQuoteFee: 0n, maker: side(maker), taker: side({ ...buy, ...taker }) },
})
const alive: OrderOnChain = { isCancelled: false, filled: 0n, nonceFloor: 5n, saltPrefix: '0x00000000' }

const verdict = (given: StagedTrade, maker: Partial<OrderOnChain> = {}, taker: Partial<OrderOnChain> = {}) =>
  neverAfter(given, market, { maker: { ...alive, ...maker }, taker: { ...alive, ...taker } }, NOW)

describe('whether a trade can still settle', () => {
  it('is so up to the last second, the last unit and the floor itself', () => {
    expect(verdict(trade())).toBe(null)
    expect(neverAfter(trade(), market, { maker: alive, taker: alive }, NOW + 1)?.reason).toBe('ORDER_EXPIRED')
  })

  it.each<[NeverReason, Partial<OrderOnChain>]>([
    ['ORDER_CANCELLED', { isCancelled: true }],
    ['NONCE_BELOW_FLOOR', { nonceFloor: 6n }],
    ['ORDER_BEFORE_SPLIT', { saltPrefix: '0x12345678' }],
    ['ORDER_OVERFILLED', { filled: 1n }],
  ])('is over with %s, of either order', (reason, onChain) => {
    const dead = (id: string) => (reason === 'ORDER_OVERFILLED' ? null : expect.objectContaining({ orderId: id }))
    expect(verdict(trade(), onChain)).toEqual({ reason, deadOrder: dead('maker') })
    expect(verdict(trade(), {}, onChain)).toEqual({ reason, deadOrder: dead('taker') })
  })

  it.each<[string, Hex]>([
    ['a salt that begins as the split asks for', '0xabababab'],
    ['a token whose splits cannot be read now', '0xffffffff'],
  ])('is so with %s', (_, saltPrefix) => {
    expect(verdict(trade(), { saltPrefix })).toBe(null)
  })

  it.each<[NeverReason, StagedTrade]>([
    ['MARKET_MISMATCH', trade({}, { token: address('d') })],
    ['SIDE_MISMATCH', trade({}, { isBuy: false })],
    ['SELF_TRADE', trade({}, { trader: order.trader })],
    ['PRICE_OUTSIDE_LIMIT', trade({ price: 100_000_001n })],
    ['PRICE_OUTSIDE_LIMIT', trade({}, { price: 99_999_999n })],
    ['FILL_TOO_SMALL', { ...trade(), quantity: 1n, price: 99_999_999n, maker: side({ price: 1n }) }],
  ])('is over with %s, whatever the chain says', (reason, given) => {
    expect(verdict(given)).toEqual({ reason, deadOrder: null })
  })

  it('is told in the same words by the contracts', () => {
    const codes = new Set(Object.values(settlementReverts).map((entry) => ('code' in entry ? entry.code : '')))
    const own = Object.keys(neverMessages).filter((reason) => reason !== 'SETTLED_DIFFERENTLY')
    expect(own.filter((reason) => !codes.has(reason))).toEqual([])
  })
})
