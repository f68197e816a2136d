import { type Address, getAddress, type Hex, hashTypedData, isAddressEqual, recoverAddress, size, slice } from 'viem'
import type { BookClass } from '../books/index.rules.ts'

/** What a trader signs, in the units of the chain. Field for field the `Order` of the contracts. */
export interface SignedOrder {
  readonly trader: Address
  readonly token: Address
  readonly quote: Address
  readonly isBuy: boolean
  readonly quantity: bigint
  readonly price: bigint
  readonly maxFee: bigint
  readonly expiry: bigint
  readonly nonce: bigint
  readonly salt: Hex
}

export interface OrderDomain {
  readonly name: 'TradingVault' | 'SignedOrderSettlement'
  readonly version: '1'
  readonly chainId: number
  readonly verifyingContract: Address
}

/** Stocks and commodities lie in a vault, external securities in the wallets of their holders. */
export const isVaultClass = (bookClass: BookClass): boolean => bookClass !== 'external-securities'

export const orderDomain = (bookClass: BookClass, chainId: bigint | number, custody: string): OrderDomain => ({
  name: isVaultClass(bookClass) ? 'TradingVault' : 'SignedOrderSettlement',
  version: '1',
  chainId: Number(chainId),
  verifyingContract: getAddress(custody),
})

export const ORDER_TYPES = {
  Order: [
    { name: 'trader', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'quote', type: 'address' },
    { name: 'isBuy', type: 'bool' },
    { name: 'quantity', type: 'uint256' },
    { name: 'price', type: 'uint256' },
    { name: 'maxFee', type: 'uint256' },
    { name: 'expiry', type: 'uint64' },
    { name: 'nonce', type: 'uint64' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/** The EIP-712 digest that is signed, and the name of the order on chain. */
export const orderHashOf = (domain: OrderDomain, message: SignedOrder): Hex =>
  hashTypedData({ domain, types: ORDER_TYPES, primaryType: 'Order', message })

/** As wallets take it: whole numbers as text. */
export const orderAsText = ({ quantity, price, maxFee, expiry, nonce, ...order }: SignedOrder) => ({
  trader: getAddress(order.trader),
  token: getAddress(order.token),
  quote: getAddress(order.quote),
  isBuy: order.isBuy,
  quantity: quantity.toString(),
  price: price.toString(),
  maxFee: maxFee.toString(),
  expiry: expiry.toString(),
  nonce: nonce.toString(),
  salt: order.salt,
})

/** The contracts take only the lower of the two signatures that every message has. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const KEY_SIGNATURE_BYTES = 65

/** Whether the trader's own key signed. False says nothing about a wallet contract: only the chain knows what it takes. */
export async function isSignedByKey(trader: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== KEY_SIGNATURE_BYTES || BigInt(slice(signature, 32, 64)) > HIGHEST_S) return false
  const v = Number(slice(signature, 64))
  if (v !== 27 && v !== 28) return false
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), trader)
  } catch {
    return false
  }
}

/** How the contracts name a trade (`tradeRef`) or a settlement (`batchRef`): its id, filled up with zeros. */
export const bytes32OfUuid = (uuid: string): Hex => `0x${uuid.replaceAll('-', '').padEnd(64, '0')}`
