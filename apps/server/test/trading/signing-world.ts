import { identityRegistryAbi, stockTokenAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { type Address, keccak256, numberToHex } from 'viem'
import { expect } from 'vitest'
import type { TestAnswer, TestInstance } from '../world.ts'
import {
  createOnchainWorld,
  type OnchainBook,
  type OnchainWorld,
  type OrderRequest,
  type SignedTerms,
} from './onchain-world.ts'
import { callOf } from './quick-sender.ts'

/** One whole unit of anything, in order book units. */
export const ONE = 1_000_000n
export const PRICE = 40n * ONE

type Fields = Record<string, unknown>
type Abi = readonly unknown[]

/** The rules of a book that has none. */
export const UNTOUCHED = { minOrderSize: '0', maxOrderSize: null, tickSize: '1', makerFeeBps: 0, takerFeeBps: 0 }

export async function expectRefusal(
  asked: TestAnswer | Promise<TestAnswer>,
  status: number,
  error: Fields,
): Promise<void> {
  const answer = await asked
  expect({ status: answer.status, error: answer.body.error }).toMatchObject({ status, error })
}

/** The body of a sale of seized collateral, out of the body of an order. */
export const asPriority = ({ quantity, side: _side, ...body }: Fields): Fields => ({
  ...body,
  amount: quantity,
  liquidatedUser: numberToHex(0xdead, { size: 20 }),
})

export interface SigningWorld extends OnchainWorld {
  /** Signs an order and submits it, through the owner's instance unless told otherwise. */
  submit(
    account: Wallet,
    book: OnchainBook,
    request: OrderRequest,
    fields?: Fields,
    of?: TestInstance,
  ): Promise<TestAnswer>
  sell(account: Wallet, book: OnchainBook, price: bigint, quantity: bigint, fields?: Fields): Promise<TestAnswer>
  buy(account: Wallet, book: OnchainBook, price: bigint, quantity: bigint, fields?: Fields): Promise<TestAnswer>
  send(book: OnchainBook, terms: SignedTerms, fields?: Fields, of?: TestInstance): Promise<TestAnswer>
  batch(book: OnchainBook, terms: readonly SignedTerms[], orderBookId?: string): Promise<TestAnswer>
  /** What the second trader has to sign to sell, unless told otherwise. */
  prepare(book: OnchainBook, fields?: Fields, by?: Wallet): Promise<TestAnswer>
  /** An offer, signed by the second trader unless told otherwise. */
  ask(book: OnchainBook, request?: Partial<OrderRequest>, by?: Wallet): Promise<SignedTerms>
  orderOf(book: OnchainBook, orderId: string, of?: TestInstance): Promise<TestAnswer['body']>
  patchBook(book: OnchainBook, body: Fields): Promise<void>
  /** The id of a stock book that settles off chain. */
  offchainBook(): Promise<string>
  /** Takes everything off the book. */
  clear(book: OnchainBook): Promise<void>
  onCustody(book: OnchainBook, account: Wallet, abi: Abi, name: string, args: readonly unknown[]): Promise<void>
  onToken(token: Address, abi: Abi, name: string, args: readonly unknown[]): Promise<void>
  verify(account: Wallet): Promise<void>
  revokeIdentity(account: Wallet): Promise<void>
}

/** The product with books on chain, and hands that sign. */
export async function createSigningWorld(options: { readonly bookRequest?: Fields } = {}): Promise<SigningWorld> {
  const world = await createOnchainWorld(options)
  const { owner, suite, tokens } = world
  const [, seller] = world.traders
  let offchain: Promise<string> | undefined

  const onToken: SigningWorld['onToken'] = async (token, abi, name, args) => {
    await world.sendRaw(owner.wallet, callOf(token, abi, name, args))
  }
  await onToken(suite.identityRegistry, identityRegistryAbi, 'addRegisterOperator', [owner.wallet.address, 'Tests'])
  await onToken(tokens.security, stockTokenAbi, 'addAgent', [owner.wallet.address])

  const send: SigningWorld['send'] = (book, { body }, fields = {}, of = owner) =>
    of.call('POST', `${book.prefix}/orders`, { body: { ...body, ...fields } })
  const submit: SigningWorld['submit'] = async (account, book, request, fields, of) =>
    send(book, await world.signOrder(account, book, request), fields, of)
  const limit =
    (side: 'BUY' | 'SELL'): SigningWorld['buy'] =>
    (account, book, price, quantity, fields) =>
      submit(account, book, { side, price, quantity }, fields)

  async function openOffchain(): Promise<string> {
    const answer = await owner.post('/orderbooks/stocks/api/offchain/order-books', {
      ...{ tokenAddress: tokens.stock, quoteTokenAddress: tokens.commodity },
      ...{ name: 'Off chain', symbol: 'OFF', tokenType: 'STOCK_TOKEN' },
    })
    return answer.body.data.id
  }

  return {
    ...world,
    send,
    submit,
    buy: limit('BUY'),
    sell: limit('SELL'),
    batch: (book, terms, orderBookId = book.id) =>
      owner.call('POST', `${book.prefix}/orders/batch`, {
        body: { orderBookId, orders: terms.map(({ body: { orderBookId: _book, ...order } }) => order) },
      }),
    prepare: (book, fields = {}, { address: userAddress } = seller) =>
      owner.call('POST', `${book.prefix}/orders/prepare`, {
        body: {
          ...{ orderBookId: book.id, userAddress, side: 'SELL', price: '40000000', quantity: '1000000' },
          ...fields,
        },
      }),
    ask: (book, request = {}, by = seller) =>
      world.signOrder(by, book, { side: 'SELL', price: PRICE, quantity: ONE, ...request }),
    orderOf: async (book, orderId, of = owner) => (await of.call('GET', `${book.prefix}/orders/${orderId}`)).body.data,
    async patchBook(book, body) {
      const answer = await owner.call('PATCH', `${book.prefix}/order-books/${book.id}`, { body })
      expect(answer.text).toContain('"success":true')
    },
    offchainBook() {
      offchain ??= openOffchain()
      return offchain
    },
    async clear(book) {
      for (const instance of [owner, world.other])
        await instance.call('POST', `${book.prefix}/orders/mass-cancel`, { body: { orderBookId: book.id } })
    },
    async onCustody(book, account, abi, name, args) {
      await world.sendRaw(account, callOf(book.custody, abi, name, args))
    },
    onToken,
    revokeIdentity: ({ address }) => onToken(suite.identityRegistry, identityRegistryAbi, 'revokeIdentity', [address]),
    verify: ({ address }) =>
      onToken(suite.identityRegistry, identityRegistryAbi, 'verifyIdentity', [
        ...[address, keccak256(address), 1, 0n, 0n, 276],
      ]),
  }
}
