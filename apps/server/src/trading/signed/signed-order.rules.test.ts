import { signedOrderSettlementAbi, tradingVaultAbi } from '@tallystick/abi'
import {
  getAddress,
  type Hex,
  hashTypedData,
  keccak256,
  numberToHex,
  parseSignature,
  serializeSignature,
  toBytes,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  bytes32OfUuid,
  isSignedByKey,
  ORDER_TYPES,
  orderAsText,
  orderDomain,
  orderHashOf,
  type SignedOrder,
} from './signed-order.rules.ts'

const account = privateKeyToAccount(generatePrivateKey())
const custody = '0x00000000000000000000000000000000000000aa'
const order: SignedOrder = {
  trader: account.address,
  token: '0x00000000000000000000000000000000000000b1',
  quote: '0x00000000000000000000000000000000000000b2',
  isBuy: true,
  quantity: 10n ** 19n,
  price: 104_200_000n,
  maxFee: 1_000n,
  expiry: 1_900_000_000n,
  nonce: 3n,
  salt: numberToHex(7, { size: 32 }),
}

describe('a signed order', () => {
  test('has the fields of the contracts in their sequence', () => {
    for (const abi of [tradingVaultAbi, signedOrderSettlementAbi]) {
      const hashOrder = abi.find((entry) => entry.type === 'function' && entry.name === 'hashOrder')
      const [tuple] = hashOrder && 'inputs' in hashOrder ? hashOrder.inputs : []
      expect((tuple as { components: unknown } | undefined)?.components).toEqual(ORDER_TYPES.Order)
    }
    const text = `Order(${ORDER_TYPES.Order.map(({ name, type }) => `${type} ${name}`).join(',')})`
    expect(keccak256(toBytes(text))).toBe(
      keccak256(
        toBytes(
          'Order(address trader,address token,address quote,bool isBuy,uint256 quantity,uint256 price,uint256 maxFee,uint64 expiry,uint64 nonce,bytes32 salt)',
        ),
      ),
    )
  })

  test('is signed under the domain of its custody contract', async () => {
    const domain = orderDomain('external-securities', 31_337n, custody)
    const signature = await account.signTypedData({ domain, types: ORDER_TYPES, primaryType: 'Order', message: order })
    expect(await isSignedByKey(account.address, orderHashOf(domain, order), signature)).toBe(true)
    const elsewhere = orderDomain('stocks', 31_337n, custody)
    expect(await isSignedByKey(account.address, orderHashOf(elsewhere, order), signature)).toBe(false)
    const changed = orderHashOf(domain, { ...order, price: order.price + 1n })
    expect(await isSignedByKey(account.address, changed, signature)).toBe(false)
  })

  test('has the hash that wallets sign', () => {
    for (const bookClass of ['stocks', 'external-securities'] as const)
      for (const isBuy of [true, false]) {
        const domain = orderDomain(bookClass, 31_337, custody)
        const message = { ...order, isBuy, maxFee: 2n ** 255n, nonce: 2n ** 64n - 1n }
        const asWallets = hashTypedData({ domain, types: ORDER_TYPES, primaryType: 'Order', message })
        expect(orderHashOf(domain, message)).toBe(asWallets)
        // Its domain is known by then.
        expect(orderHashOf(domain, message)).toBe(asWallets)
      }
  })

  test('is not signed by what the contracts refuse: the other s, another v, another length', async () => {
    const domain = orderDomain('commodities', 31_337, custody)
    const hash = orderHashOf(domain, order)
    const signature = await account.sign({ hash })
    const { r, s, yParity } = parseSignature(signature)
    const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = serializeSignature({ r, s: toHex(N - BigInt(s), { size: 32 }), yParity: 1 - yParity })
    const oddV = `${signature.slice(0, -2)}0${yParity}` as Hex
    const none = `0x${'00'.repeat(64)}1b` as Hex
    for (const other of [high, oddV, none, `${signature}00` as Hex, '0x' as Hex])
      expect(await isSignedByKey(account.address, hash, other)).toBe(false)
  })

  test('is told to wallets as text', () => {
    expect(orderAsText(order)).toEqual({
      ...order,
      token: getAddress(order.token),
      quote: getAddress(order.quote),
      quantity: '10000000000000000000',
      price: '104200000',
      maxFee: '1000',
      expiry: '1900000000',
      nonce: '3',
    })
  })
})

test('a trade and a settlement are named on chain by their ids', () => {
  const id = '0198f2a4-7b1c-7def-8123-456789abcdef'
  const reference = bytes32OfUuid(id)
  expect(reference).toBe(`0x0198f2a47b1c7def8123456789abcdef${'0'.repeat(32)}`)
})
