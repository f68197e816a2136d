import { type Hex, keccak256, stringToHex, type TypedDataDomain } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { TraderName } from './trading-plan.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

/** In order book units. */
export interface OrderRequest {
  readonly side: 'BUY' | 'SELL'
  readonly price: bigint
  readonly quantity: bigint
  readonly timeInForce?: 'IOC'
  readonly postOnly?: true
  readonly clientOrderId?: string
}

export interface Placed {
  readonly accepted: boolean
  readonly order?: { readonly orderId: string; readonly status: string }
  readonly error?: { readonly code: string; readonly message: string }
}

/** What the interface asks a wallet to sign. */
export interface Prepared {
  readonly order: Readonly<Record<'quantity' | 'price' | 'maxFee' | 'expiry' | 'nonce', string>> & {
    readonly isBuy: boolean
    readonly salt: Hex
  }
  readonly domain: TypedDataDomain
  readonly types: { readonly Order: readonly { readonly name: string; readonly type: string }[] }
}

export type Changes = Partial<{ isBuy: boolean; quantity: bigint; price: bigint; salt: Hex }>

/** Long: who lets the chain travel in time should not end every order by it. */
const SIGNED_FOR_SECONDS = 60 * 86_400
export const expiryAt = ({ clock }: Pick<TradingStage, 'clock'>): string =>
  String(Math.floor(clock.now().getTime() / 1_000) + SIGNED_FOR_SECONDS)

/** Signs it, perhaps with other terms than were asked about, and answers what a submission says beside them. */
export async function signPrepared(account: PrivateKeyAccount, prepared: Prepared, changes: Changes = {}) {
  const { order, domain, types } = prepared
  const { maxFee, expiry, nonce } = order
  const salt = changes.salt ?? order.salt
  const message = {
    ...order,
    ...{ quantity: BigInt(order.quantity), price: BigInt(order.price), maxFee: BigInt(maxFee) },
    ...{ expiry: BigInt(expiry), nonce: BigInt(nonce), ...changes },
  }
  const signature = await account.signTypedData({ domain, types, primaryType: 'Order', message })
  return { expiry, nonce, salt, signature }
}

/** Begins as the one that the interface chose: what stands in front may be asked for by the contract. */
const saltAfter = (salt: Hex, index: number): Hex =>
  `${salt.slice(0, 10)}${keccak256(stringToHex(`${salt} ${index}`)).slice(10)}` as Hex

async function signed(stage: TradingStage, book: DemoBook, by: TraderName, requests: readonly OrderRequest[]) {
  const { account } = stage.traders[by]
  const [first] = requests
  if (!first) return []
  const prepared = await stage.clientOf(book, by)<Prepared>('POST', `${book.prefix}/orders/prepare`, {
    ...{ orderBookId: book.id, userAddress: account.address, side: first.side },
    ...{ price: first.price.toString(), quantity: first.quantity.toString() },
    expiry: expiryAt(stage),
  })
  const onChain = (units: bigint, decimals: number) => (units * 10n ** BigInt(decimals)) / 1_000_000n
  return Promise.all(
    requests.map(async ({ side, price, quantity }, index) => ({
      userAddress: account.address,
      // These books take no fees.
      maxFee: prepared.order.maxFee,
      ...(await signPrepared(account, prepared, {
        isBuy: side === 'BUY',
        quantity: onChain(quantity, book.baseDecimals),
        price: onChain(price, book.quoteDecimals),
        salt: saltAfter(prepared.order.salt, index),
      })),
    })),
  )
}

/** Orders of one trader on one book, in one commit. Each is taken or refused for itself. */
export async function placeOrders(
  stage: TradingStage,
  book: DemoBook,
  by: TraderName,
  requests: readonly OrderRequest[],
): Promise<readonly Placed[]> {
  if (requests.length === 0) return []
  const whose =
    book.plan.custody === 'ledger' ? requests.map(() => ({ customerRef: by })) : await signed(stage, book, by, requests)
  const orders = requests.map(({ price, quantity, ...request }, index) => ({
    ...{ ...request, orderType: 'LIMIT', price: price.toString(), quantity: quantity.toString() },
    ...whose[index],
  }))
  const body = { orderBookId: book.id, orders }
  const answer = await stage.clientOf(book, by)<{ results: Placed[] }>('POST', `${book.prefix}/orders/batch`, body)
  return answer.results
}

/** Those that were refused for another reason than that they are there already. */
export function requirePlaced(results: readonly Placed[]): void {
  for (const { error } of results)
    if (error && error.code !== 'DUPLICATE_CLIENT_ORDER_ID')
      throw new Error(`an order of the demo was refused: ${error.code} ${error.message}`)
}
