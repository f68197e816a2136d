import { hashTypedData, isAddressEqual } from 'viem'
import { signTypedData } from 'viem/actions'
import { envelopeOf } from '../envelope.ts'
import type { Bound } from '../method.ts'
import type { Address, Hex, PlainShape } from '../operation.ts'
import { TallySigningError } from './signing-error.ts'
import type { Wallet } from './wallet.ts'

/** Field for field the `Order` of the contracts. Nothing else is signed under this name. */
const ORDER_TYPES = {
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

/** What every operation answers that prepares an order for its trader to sign. */
export interface PreparedOrder {
  readonly order: {
    readonly trader: Address
    readonly token: Address
    readonly quote: Address
    readonly isBuy: boolean
    readonly quantity: string
    readonly price: string
    readonly maxFee: string
    readonly expiry: string
    readonly nonce: string
    readonly salt: string
  }
  readonly domain: {
    readonly name: string
    readonly version: string
    readonly chainId: number
    readonly verifyingContract: Address
  }
  readonly orderHash: string
  /** Of a market order: it is signed as a limit. */
  readonly submitAs?: LimitFields
}

interface LimitFields {
  readonly orderType: 'LIMIT'
  readonly timeInForce: 'IOC'
  readonly price: string
}

export interface SignedOrder<Data> {
  readonly prepared: Data
  /** Goes with the order when it is submitted, over what was asked for: a market order becomes the limit that was signed. */
  readonly terms: { maxFee: string; expiry: string; nonce: string; salt: Hex; signature: Hex } & Partial<LimitFields>
}

export interface OrderOptions {
  readonly signal?: AbortSignal
  /** Looks at the order before it is signed, in units of the chain; false refuses it. */
  readonly allow?: (order: PreparedOrder['order'], domain: PreparedOrder['domain']) => boolean
}

const refuse = (what: string) => new TallySigningError('UNEXPECTED_CALL', what)

/** Has an order prepared, checks that it is the one that was asked for, and signs it (EIP-712). */
export async function signOrder<S extends PlainShape & { readonly data: PreparedOrder }>(
  prepare: Bound<S>,
  request: S['request'],
  wallet: Wallet,
  options: OrderOptions = {},
): Promise<SignedOrder<S['data']>> {
  const { operation, transport } = prepare
  const response = await transport.send(operation, request, options.signal ? { signal: options.signal } : {})
  const prepared = (await envelopeOf(response)).data as S['data']
  const { order, domain, orderHash, submitAs } = prepared
  const asked = (request.body ?? {}) as { side?: string; baseToken?: string }
  if (!isAddressEqual(order.trader, wallet.account.address))
    throw new TallySigningError(
      'WRONG_SIGNER',
      `the order is for ${order.trader}, and the wallet is ${wallet.account.address}`,
    )
  if (asked.side !== undefined && order.isBuy !== (asked.side === 'BUY'))
    throw refuse('the order is for the other side')
  const connected = await wallet.getChainId()
  if (connected !== domain.chainId)
    throw new TallySigningError(
      'WRONG_CHAIN',
      `the order is for chain ${domain.chainId}, and the wallet is on ${connected}`,
    )
  const message = {
    ...order,
    quantity: BigInt(order.quantity),
    price: BigInt(order.price),
    maxFee: BigInt(order.maxFee),
    expiry: BigInt(order.expiry),
    nonce: BigInt(order.nonce),
    salt: order.salt as Hex,
  }
  const typed = { domain, types: ORDER_TYPES, primaryType: 'Order', message } as const
  if (hashTypedData(typed) !== orderHash) throw refuse('the hash is not the hash of the order')
  if (options.allow && !options.allow(order, domain)) throw refuse('this order was not allowed')
  const signature = await signTypedData(wallet, { account: wallet.account, ...typed })
  const { maxFee, expiry, nonce } = order
  return { prepared, terms: { maxFee, expiry, nonce, salt: message.salt, signature, ...submitAs } }
}
