import {
  type Address,
  type GetDailyStats,
  type ListCandles,
  type ListOrderBooks,
  type ListOrderBookTrades,
  type ListUserOrders,
  type SubmitOffchainOrder,
  signOrder,
  type Wallet,
} from '@tallystick/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { tally } from './client.ts'

const { trading } = tally

export type Book = ListOrderBooks['data'][number]
export type Trade = ListOrderBookTrades['data']['trades'][number]
export type Order = Omit<ListUserOrders['data']['orders'][number], 'orderBook'>
export type Candle = ListCandles['data']['candles'][number]
export type Resolution = ListCandles['data']['resolution']
export type Side = 'BUY' | 'SELL'

/** Where a book is: on the ledger of the instance, or in one of the classes that settle on chain. */
export const kinds = ['offchain', 'stocks', 'commodities', 'external-securities'] as const
export type Kind = (typeof kinds)[number]
export const isKind = (text: string): text is Kind => (kinds as readonly string[]).includes(text)

const surfaceOf = (kind: Exclude<Kind, 'offchain'>) => ({ surface: `orderbooks/${kind}` }) as const

export interface KnownBook {
  readonly kind: Kind
  readonly book: Book
}

/** Off-chain books are stock books too; they are listed once. */
async function booksOf(kind: Kind): Promise<readonly KnownBook[]> {
  const { data } =
    kind === 'offchain' ? await trading.listOffchainBooks({}) : await trading.listOrderBooks({ ...surfaceOf(kind) })
  return data
    .filter(({ settlementMode }) => kind === 'offchain' || settlementMode === 'ON_CHAIN')
    .map((book) => ({ kind, book }))
}

/** What one class cannot answer does not hide the others. */
export function useBooks() {
  const answers = useQueries({
    queries: kinds.map((kind) => ({ queryKey: ['books', kind], queryFn: () => booksOf(kind), staleTime: 30_000 })),
  })
  return {
    books: answers.flatMap(({ data }) => data ?? []).filter(({ book }) => book.status !== 'CLOSED'),
    isLoading: answers.some(({ isPending }) => isPending),
    error: answers.find(({ error }) => error)?.error,
  }
}

const at = (orderBookId: string) => ({ params: { orderBookId } })

export const getBook = async (kind: Kind, id: string): Promise<Book> =>
  (kind === 'offchain'
    ? await trading.getOffchainBook(at(id))
    : await trading.getOrderBook({ ...surfaceOf(kind), ...at(id) })
  ).data

export const useBook = (kind: Kind, id: string) =>
  useQuery({ queryKey: ['book', kind, id], queryFn: () => getBook(kind, id), staleTime: 10_000 })

const snapshotOf = async (kind: Kind, id: string) =>
  (kind === 'offchain'
    ? await trading.getOffchainSnapshot({ ...at(id), query: { levels: '1' } })
    : await trading.getOrderBookSnapshot({ ...surfaceOf(kind), ...at(id), query: { levels: '1' } })
  ).data

/** Figures of the last 24 hours, and the band of prices. */
export const useDayFigures = (kind: Kind, id: string) =>
  useQuery({ queryKey: ['book-day', kind, id], queryFn: () => snapshotOf(kind, id), refetchInterval: 15_000 })

export async function listTape(kind: Kind, id: string, most: number): Promise<readonly Trade[]> {
  const request = { ...at(id), query: { limit: String(most) } }
  const { data } =
    kind === 'offchain'
      ? await trading.listOffchainTrades(request)
      : await trading.listOrderBookTrades({ ...surfaceOf(kind), ...request })
  return data.trades
}

export async function listCandles(
  kind: Kind,
  id: string,
  query: { resolution: Resolution; limit: string; cursor?: string },
): Promise<{ candles: readonly Candle[]; nextCursor: string | null }> {
  const request = { ...at(id), query }
  return (
    kind === 'offchain'
      ? await trading.listOffchainCandles(request)
      : await trading.listCandles({ ...surfaceOf(kind), ...request })
  ).data
}

export type Day = GetDailyStats['data']['stats'][number]
export type DayRange = GetDailyStats['data']['range']
export const dayRanges = ['1W', '1M', '3M', '6M', '1Y'] as const satisfies readonly DayRange[]

/** Books of a ledger are stock books. */
export const useDays = (kind: Kind, tokenAddress: Address, range: DayRange) =>
  useQuery({
    queryKey: ['book-days', kind, tokenAddress, range],
    queryFn: async () =>
      (
        await trading.getDailyStats({
          ...surfaceOf(kind === 'offchain' ? 'stocks' : kind),
          params: { tokenAddress },
          query: { range },
        })
      ).data,
    refetchInterval: 60_000,
  })

/** Of stock books alone: the others trade continuously. */
export const useAuction = (kind: Kind, id: string, auctionId: string | null) =>
  useQuery({
    queryKey: ['book-auction', id, auctionId],
    queryFn: async () => (await trading.getCurrentBookAuction({ ...at(id) })).data,
    enabled: auctionId !== null && (kind === 'stocks' || kind === 'offchain'),
    refetchInterval: 2_000,
  })

/** Who trades: a customer of the ledger, or a wallet. */
export type Holder = { readonly customerRef: string } | { readonly address: Address }
export const nameOfHolder = (holder: Holder): string =>
  'customerRef' in holder ? `offchain:${holder.customerRef}` : holder.address.toLowerCase()

const OPEN = ['OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING'] as const

export async function listOpenOrders(kind: Kind, id: string, holder: Holder): Promise<readonly Order[]> {
  const pages = await Promise.all(
    OPEN.map(async (status) => {
      const query = { orderBookId: id, status, limit: '100' }
      const { data } =
        'customerRef' in holder
          ? await trading.listCustomerOrders({ params: holder, query })
          : kind === 'offchain'
            ? { data: { orders: [] } }
            : await trading.listUserOrders({ ...surfaceOf(kind), params: { userAddress: holder.address }, query })
      return data.orders as readonly Order[]
    }),
  )
  return pages.flat().toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}

/** One page of own trades on all books of the kind, newest first. */
export async function listOwnTrades(
  kind: Kind,
  holder: Holder,
  cursor?: string,
): Promise<{ trades: readonly Trade[]; nextCursor: string | null }> {
  const query = { limit: '100', ...(cursor ? { cursor } : {}) }
  if ('customerRef' in holder) return (await trading.listCustomerTrades({ params: holder, query })).data
  if (kind === 'offchain') return { trades: [], nextCursor: null }
  const params = { userAddress: holder.address }
  return (await trading.listUserTrades({ ...surfaceOf(kind), params, query })).data
}

export const useCustomers = (enabled: boolean) =>
  useQuery({
    queryKey: ['customers'],
    queryFn: async () => {
      const { data } = await trading.listAccounts({ query: { limit: '100' } })
      return data.accounts.flatMap(({ customerRef, name, status }) =>
        customerRef !== null && status === 'ACTIVE' ? [{ customerRef, name }] : [],
      )
    },
    enabled,
    staleTime: 60_000,
  })

/** What can be traded now of a token, in order book units where `decimals` are known. */
export async function availableOf(kind: Kind, book: Book, holder: Holder, side: Side): Promise<bigint | null> {
  const token = side === 'SELL' ? book.tokenAddress : book.quoteTokenAddress
  if ('customerRef' in holder) {
    const query = { customerRef: holder.customerRef, tokenAddress: token }
    const { data } = await trading.listLedgerBalances({ query })
    return BigInt(data.balances[0]?.available ?? '0')
  }
  const decimals = side === 'SELL' ? book.baseDecimals : book.quoteDecimals
  if (kind === 'offchain' || book.custodyContract === null || decimals === null) return null
  const params = { custodyContract: book.custodyContract, userAddress: holder.address, tokenAddress: token }
  const { data } = await trading.getCustodyBalance({ ...surfaceOf(kind), params })
  return (BigInt(data.available) * 1_000_000n) / 10n ** BigInt(decimals)
}

export interface NewOrder {
  readonly side: Side
  readonly orderType: 'LIMIT' | 'MARKET'
  readonly price: bigint | undefined
  readonly quantity: bigint
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly postOnly: boolean
  readonly clientOrderId: string
}

export type Placed = Pick<SubmitOffchainOrder['data'], 'order' | 'trades' | 'status' | 'filledQuantity'>

/** A market order lives for the moment it comes in, and has no terms of its own. */
const termsOf = ({ side, orderType, price, quantity, timeInForce, postOnly, clientOrderId }: NewOrder) => ({
  ...{ side, orderType, quantity: quantity.toString(), clientOrderId },
  ...(orderType === 'LIMIT' && price !== undefined
    ? { price: price.toString(), timeInForce, ...(postOnly ? { postOnly } : {}) }
    : {}),
})

export async function placeOffchain(id: string, customerRef: string, order: NewOrder): Promise<Placed> {
  const body = { orderBookId: id, customerRef, ...termsOf(order) }
  return (await trading.submitOffchainOrder({ body })).data
}

/** Prepared by the service, checked and signed here, submitted as it was signed. */
export async function placeSigned(kind: Kind, id: string, wallet: Wallet, order: NewOrder): Promise<Placed> {
  if (kind === 'offchain') throw new TypeError('orders of a ledger are not signed')
  const { side, orderType, quantity, price } = order
  const userAddress = wallet.account.address
  const asked = {
    ...{ orderBookId: id, userAddress, side, quantity: quantity.toString() },
    ...(orderType === 'LIMIT' && price !== undefined ? { price: price.toString() } : { orderType }),
  }
  const { terms } = await signOrder(trading.prepareOrder, { ...surfaceOf(kind), body: asked }, wallet)
  const body = { orderBookId: id, userAddress, ...termsOf(order), ...terms }
  return (await trading.submitOrder({ ...surfaceOf(kind), body })).data
}

export async function cancelOrder(kind: Kind, orderId: string, holder: Holder): Promise<unknown> {
  const params = { orderId }
  if ('customerRef' in holder) return trading.cancelOffchainOrder({ params, body: { ...holder } })
  if (kind === 'offchain') return undefined
  return trading.cancelOrder({ ...surfaceOf(kind), params, body: { userAddress: holder.address } })
}

/** What was signed can only become smaller. */
export async function amendOrder(
  kind: Kind,
  orderId: string,
  holder: Holder,
  change: { price?: string; quantity?: string },
): Promise<unknown> {
  const params = { orderId }
  if ('customerRef' in holder) return trading.amendOffchainOrder({ params, body: { ...holder, ...change } })
  if (kind === 'offchain' || change.quantity === undefined) return undefined
  const body = { userAddress: holder.address, quantity: change.quantity }
  return trading.amendOrder({ ...surfaceOf(kind), params, body })
}

export async function cancelAll(kind: Kind, id: string, holder: Holder): Promise<number> {
  if ('customerRef' in holder)
    return (await trading.massCancelOffchainOrders({ body: { ...holder, orderBookId: id } })).data.cancelled
  if (kind === 'offchain') return 0
  const body = { userAddress: holder.address, orderBookId: id }
  return (await trading.massCancelOrders({ ...surfaceOf(kind), body })).data.cancelled
}
