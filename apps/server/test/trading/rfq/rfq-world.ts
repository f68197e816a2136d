import { randomUUID } from 'node:crypto'
import type { Wallet } from '@tallystick/testkit'
import type { RfqRecord } from '@tallystick/wire'
import { must } from '../../signing.ts'
import type { TestAnswer, TestInstance } from '../../world.ts'
import { createOnchainWorld, type OnchainWorld, type OrderRequest } from '../onchain-world.ts'

/** One whole unit of anything, in order book units. */
export const ONE = 1_000_000n
export const RFQ = '/orderbooks/stocks/api/rfq'

type Fields = Record<string, unknown>
type Signed = Partial<OrderRequest>

export interface RfqWorld extends OnchainWorld {
  readonly requester: Wallet
  /** Two providers, each with a trading account that may quote. */
  readonly providers: readonly [Wallet, Wallet]
  readonly accountIds: ReadonlyMap<Wallet, string>
  /** Asks for quotes for 5 whole units; buys unless told otherwise. */
  open(fields?: Fields, of?: TestInstance): Promise<RfqRecord>
  read(id: string, of?: TestInstance): Promise<RfqRecord>
  /** Signs a quote and sends it. `signed` changes what is signed, `fields` what is sent. */
  quote(provider: Wallet, rfq: RfqRecord, price: bigint, fields?: Fields, signed?: Signed): Promise<TestAnswer>
  accept(rfq: RfqRecord, quoteId: string, price: bigint, fields?: Fields, signed?: Signed): Promise<TestAnswer>
  cancel(rfq: RfqRecord, by?: Wallet): Promise<TestAnswer>
  post(path: string, body: Fields): Promise<TestAnswer>
  /** Puts the end of a request, or of one of its quotes, into the past. */
  expire(id: string): Promise<void>
  expireQuote(quoteId: string): Promise<void>
  /** What is reserved of a wallet in the vault of the stock book, in order book units. */
  reserved(account: Wallet, token: 'base' | 'quote'): Promise<bigint>
  withBook<T>(columns: Fields, work: () => Promise<T>): Promise<T>
}

export async function createRfqWorld(): Promise<RfqWorld> {
  const world = await createOnchainWorld({ bookRequest: { allowImport: true } })
  const { owner, superuser, books } = world
  const book = books.stocks
  const [requester, first, second] = world.traders
  const accountIds = new Map<Wallet, string>()
  for (const provider of [first, second]) {
    const body = { userAddress: provider.address, canQuote: true }
    const made = must(await owner.call('POST', `${book.prefix}/accounts`, { body }))
    accountIds.set(provider, made.body.data.accountId)
  }

  const post: RfqWorld['post'] = (path, body) => owner.call('POST', `${RFQ}${path}`, { body })

  async function signed(account: Wallet, rfq: RfqRecord, side: 'BUY' | 'SELL', price: bigint, signing: Signed) {
    const quantity = BigInt(rfq.baseAmount)
    const { body } = await world.signOrder(account, book, { side, price, quantity, ...signing })
    const { expiry, nonce, salt, signature } = body
    return { expiry, nonce, salt, signature }
  }
  const opposite = (side: string) => (side === 'BUY' ? 'SELL' : 'BUY')

  return {
    ...world,
    requester,
    providers: [first, second],
    accountIds,
    post,
    async open(fields = {}, of = owner) {
      const body = {
        requesterAddress: requester.address,
        baseToken: book.base,
        quoteToken: book.quote,
        custodyContract: book.custody,
        side: 'BUY',
        baseAmount: String(5n * ONE),
        expiryMs: 60_000,
        ...fields,
      }
      return must(await of.call('POST', RFQ, { body })).body.data
    },
    async read(id, of = owner) {
      return must(await of.call('GET', `${RFQ}/${id}`)).body.data
    },
    async quote(provider, rfq, price, fields = {}, signing = {}) {
      const terms = await signed(provider, rfq, opposite(rfq.side), price, signing)
      return post(`/${rfq.id}/quotes`, { lpAddress: provider.address, price: String(price), ...terms, ...fields })
    },
    async accept(rfq, quoteId, price, fields = {}, signing = {}) {
      const terms = await signed(requester, rfq, rfq.side, price, signing)
      const body = { requesterAddress: requester.address, quoteId, ...terms, ...fields }
      return owner.call('POST', `${RFQ}/${rfq.id}/accept`, { body, headers: { 'idempotency-key': randomUUID() } })
    },
    cancel: (rfq, by = requester) => post(`/${rfq.id}/cancel`, { requesterAddress: by.address }),
    async expire(id) {
      await superuser`update rfqs set expires_at = clock_timestamp() - interval '1 second' where rfq_id = ${id}`
    },
    async expireQuote(quoteId) {
      await superuser`
        update rfq_quotes set valid_until = clock_timestamp() - interval '1 second' where quote_id = ${quoteId}`
    },
    async reserved(account, token) {
      const [row] = await superuser<{ reserved: string }[]>`
        select reserved::text from custody_reservations
        where holder = ${account.address.toLowerCase()} and token_address = ${book[token]} and custody_contract = ${book.custody}`
      return BigInt(row?.reserved ?? 0)
    },
    async withBook(columns, work) {
      const [before] =
        await superuser`select ${superuser(Object.keys(columns))} from order_books where book_id = ${book.id}`
      await superuser`update order_books set ${superuser(columns)} where book_id = ${book.id}`
      try {
        return await work()
      } finally {
        await superuser`update order_books set ${superuser({ ...before })} where book_id = ${book.id}`
      }
    },
  }
}
