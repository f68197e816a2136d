import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getAddress,
  type Hex,
  hashDomain,
  keccak256,
  size,
  slice,
  stringToHex,
} from 'viem'
import { lowered } from '../../platform/values/address.rules.ts'
import { signerOf } from '../../platform/values/signer.rules.ts'
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

const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const
const ORDER_TYPE_HASH = keccak256(
  stringToHex(`Order(${ORDER_TYPES.Order.map(({ name, type }) => `${type} ${name}`).join(',')})`),
)
const ORDER_STRUCT = [{ name: 'typeHash', type: 'bytes32' }, ...ORDER_TYPES.Order] as const

/** Of contracts that orders are signed for. It never changes, and to hash it anew takes longer than the order itself. */
const separators = new Map<string, Hex>()
const REMEMBERED_DOMAINS = 1_000

function separatorOf(domain: OrderDomain): Hex {
  const key = `${domain.name} ${domain.chainId} ${domain.verifyingContract}`
  const known = separators.get(key)
  if (known) return known
  const separator = hashDomain({
    domain: { ...domain, chainId: BigInt(domain.chainId) },
    types: { EIP712Domain: [...DOMAIN_TYPE] },
  })
  if (separators.size >= REMEMBERED_DOMAINS) separators.clear()
  separators.set(key, separator)
  return separator
}

/** The EIP-712 digest that is signed, and the name of the order on chain. */
export function orderHashOf(domain: OrderDomain, order: SignedOrder): Hex {
  const { trader, token, quote, isBuy, quantity, price, maxFee, expiry, nonce, salt } = order
  const fields = [ORDER_TYPE_HASH, trader, token, quote, isBuy, quantity, price, maxFee, expiry, nonce, salt] as const
  const struct = keccak256(encodeAbiParameters(ORDER_STRUCT, fields))
  return keccak256(concatHex(['0x1901', separatorOf(domain), struct]))
}

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
  return (await signerOf(hash, signature)) === lowered(trader)
}

/** How the contracts name a trade (`tradeRef`) or a settlement (`batchRef`): its id, filled up with zeros. */
export const bytes32OfUuid = (uuid: string): Hex => `0x${uuid.replaceAll('-', '').padEnd(64, '0')}`
