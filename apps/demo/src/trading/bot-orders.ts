import type { Random } from '@tallystick/server/platform'
import { DemoRefusedError } from '../demo-client.ts'
import { type OrderRequest, placeOrders } from './place-orders.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

/** How the orders of bots are told from all others. */
const MARK = 'bot '

/** What the quoting bot has on the books. It quotes as the borrower. */
export function createBotOrders(stage: TradingStage, random: Random) {
  const { call, account } = stage.traders.borrower
  const resting = new Map<string, { readonly book: DemoBook; readonly ids: readonly string[] }>()

  async function cancel(book: DemoBook, ids: readonly string[]): Promise<void> {
    const whose = book.plan.custody === 'ledger' ? { customerRef: 'borrower' } : { userAddress: account.address }
    for (const id of ids)
      try {
        await call('DELETE', `${book.prefix}/orders/${id}`, whose)
      } catch (error) {
        // It was filled meanwhile, or has ended.
        if (!(error instanceof DemoRefusedError)) throw error
      }
  }

  return {
    /** New ones before the old ones go: there is always a price. */
    async replace(book: DemoBook, requests: readonly OrderRequest[]): Promise<void> {
      const named = requests.map((request) => ({ ...request, clientOrderId: `${MARK}${random(12).toString('hex')}` }))
      const placed = await placeOrders(stage, book, 'borrower', named)
      const before = resting.get(book.id)?.ids ?? []
      resting.set(book.id, { book, ids: placed.flatMap(({ order }) => (order ? [order.orderId] : [])) })
      await cancel(book, before)
    },

    async cancelAll(): Promise<void> {
      for (const { book, ids } of resting.values()) await cancel(book, ids)
      resting.clear()
    },

    async cancelOlder(books: readonly DemoBook[]): Promise<void> {
      for (const book of books) {
        const whose = book.plan.custody === 'ledger' ? 'customers/borrower' : `users/${account.address}`
        const path = `${book.prefix}/${whose}/orders?orderBookId=${book.id}&status=OPEN&limit=100`
        const { orders } = await call<{ orders: { orderId: string; clientOrderId: string | null }[] }>('GET', path)
        const ours = orders.filter(({ clientOrderId }) => clientOrderId?.startsWith(MARK))
        await cancel(
          book,
          ours.map(({ orderId }) => orderId),
        )
      }
    },
  }
}
