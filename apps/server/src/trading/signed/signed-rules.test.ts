import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../platform/app-error.ts'
import { hindranceOf } from './delivery.rules.ts'
import { sizeOnChain } from './onchain-book.ts'
import { deathOf, endedOnChain } from './order-state.rules.ts'
import { proposedMaxFee, requireExpiry, requireSalt } from './order-terms.ts'
import type { SignedOrder } from './signed-order.rules.ts'

function refusal(work: () => unknown) {
  try {
    return { taken: work() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, ...error.extra }
  }
}

describe('the size of an order on chain', () => {
  const whole = { baseDecimals: 0, quoteDecimals: 2 }

  test('is exact, or refused with the step that would be', () => {
    expect(sizeOnChain(whole, { quantity: '3000000', price: '1230000' })).toEqual({
      quantity: 3n,
      price: 123n,
      notional: 369n,
    })
    expect(refusal(() => sizeOnChain(whole, { quantity: '3500000', price: '1230000' }))).toEqual({
      code: 'INVALID_QUANTITY',
      step: '1000000',
    })
    expect(refusal(() => sizeOnChain(whole, { quantity: '3000000', price: '1234000' }))).toEqual({
      code: 'INVALID_PRICE',
      step: '10000',
    })
  })

  test('fits what the contracts count with', () => {
    const fine = { baseDecimals: 30, quoteDecimals: 6 }
    expect(refusal(() => sizeOnChain(fine, { quantity: '1000000000000000', price: '1' }))).toMatchObject({
      code: 'ORDER_TOO_LARGE',
    })
    expect(refusal(() => sizeOnChain(fine, { quantity: '9999999999999999999', price: '1' }))).toMatchObject({
      code: 'INVALID_QUANTITY',
    })
  })
})

describe('the terms of an order', () => {
  const rates = { makerFeeBps: 10, takerFeeBps: 20, mmMakerRebateBps: -5, quoteDecimals: 6 }

  test('propose a maximum that covers every fee the book can charge', () => {
    // 5 at 40: 0.2 % of 5 are 0.01, worth 0.4.
    expect(proposedMaxFee(rates, 'BUY', 5_000_000n, 40_000_000n)).toBe(404_001n)
    expect(proposedMaxFee(rates, 'SELL', 5_000_000n, 40_000_000n)).toBe(800_000n)
    expect(proposedMaxFee({ ...rates, quoteDecimals: 2 }, 'BUY', 5_000_000n, 40_000_000n)).toBe(41n)
    expect(proposedMaxFee({ ...rates, makerFeeBps: 0, takerFeeBps: 0 }, 'SELL', 5_000_000n, 40_000_000n)).toBe(0n)
  })

  test('give somebody who signs a minute, and what is signed any second', () => {
    expect(refusal(() => requireExpiry(1_059, 1_000, false))).toMatchObject({ code: 'INVALID_ORDER_EXPIRY' })
    expect(requireExpiry(1_060, 1_000, false)).toBe(1_060)
    expect(requireExpiry(1_001, 1_000, true)).toBe(1_001)
    expect(refusal(() => requireExpiry(1_000, 1_000, true))).toMatchObject({ code: 'INVALID_ORDER_EXPIRY' })
    expect(refusal(() => requireExpiry(1_001 + 90 * 86_400, 1_000, true))).toMatchObject({
      code: 'INVALID_ORDER_EXPIRY',
    })
  })

  test('mark which shares are meant after a split', () => {
    const salt = numberToHex(7, { size: 32 })
    expect(requireSalt(salt, '0x00000000')).toBe(salt)
    expect(refusal(() => requireSalt(salt, '0xaabbccdd'))).toEqual({ code: 'INVALID_ORDER_SALT' })
    expect(refusal(() => requireSalt(salt, `0x${'ff'.repeat(8)}${'00'.repeat(8)}`))).toEqual({
      code: 'INVALID_ORDER_SALT',
    })
  })
})

describe('a resting order', () => {
  const order: SignedOrder = {
    trader: '0x00000000000000000000000000000000000000a1',
    token: '0x00000000000000000000000000000000000000b1',
    quote: '0x00000000000000000000000000000000000000b2',
    isBuy: false,
    quantity: 100n,
    price: 1n,
    maxFee: 0n,
    expiry: 2_000n,
    nonce: 5n,
    salt: numberToHex(7, { size: 32 }),
  }
  const alive = {
    filled: 40n,
    isCancelled: false,
    nonceFloor: 5n,
    saltPrefix: '0x00000000',
    isSignatureValid: true,
  } as const

  test.each([
    [{}, 60n, null],
    [{ isCancelled: true }, 60n, 'CANCELLED_ON_CHAIN'],
    [{ nonceFloor: 6n }, 60n, 'NONCE_INVALIDATED'],
    [{ filled: 100n }, 0n, 'FILLED_ON_CHAIN'],
    [{}, 61n, 'FILLED_ON_CHAIN'],
    [{ saltPrefix: '0xaabbccdd' }, 60n, 'TOKEN_SPLIT'],
    [{ saltPrefix: `0x${'00'.repeat(8)}53504c54aabbccdd` }, 60n, 'TOKEN_SPLIT'],
    [{ saltPrefix: `0x${'ff'.repeat(8)}${'00'.repeat(8)}` }, 60n, null],
    [{ saltPrefix: '0xffffffff' }, 60n, null],
    [{ isSignatureValid: false }, 60n, 'SIGNATURE_INVALID'],
  ] as const)('with %o can fill %d more: %s', (changed, wanted, death) => {
    expect(deathOf(order, { ...alive, ...changed }, 1_999, wanted)).toBe(death)
  })

  test('dies with the second after its last', () => {
    expect(deathOf(order, alive, 2_000, 1n)).toBeNull()
    expect(deathOf(order, alive, 2_001, 1n)).toBe('ORDER_EXPIRED')
    expect(endedOnChain(order, alive)).toBeNull()
  })
})

test('every code of the settlement contract has a name and somebody at fault', () => {
  expect(hindranceOf(0)).toBeNull()
  const named = Array.from({ length: 14 }, (_, index) => hindranceOf(index + 1))
  expect(new Set(named.map((one) => one?.rule)).size).toBe(14)
  expect(hindranceOf(9)).toEqual({ rule: 'BUYER_NOT_VERIFIED', fault: 'BUYER', deliveryCode: 9 })
  expect(hindranceOf(99)).toEqual({ rule: 'DELIVERY_REFUSED', fault: 'PAIR', deliveryCode: 99 })
})
