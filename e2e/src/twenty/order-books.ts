import { labelled } from '../demo/demo-file.ts'
import type { Endpoint } from './trial.ts'

const units = (amount: string): number => Number(amount) / 1_000_000

/** Books, their trades, and requests for quote. */
export const orderBooks: readonly Endpoint[] = [
  {
    number: '4.6',
    name: 'Get RFQ',
    async run({ demo, ask }) {
      const { instance, rfqId } = labelled(demo.file.rfqs, 'shares', 'request for quote')
      await ask(
        'read',
        () => demo.tally(instance).trading.getRfq({ params: { id: rfqId } }),
        ({ side, status, baseAmount, quotes }) =>
          `${side} ${units(baseAmount)} NWP, ${status}, quoted at ${quotes.map(({ price }) => units(price)).join(', ')}`,
      )
    },
  },
  {
    number: '4.9',
    name: 'Order book trades',
    async run({ demo, ask }) {
      const params = { orderBookId: demo.book('commodity') }
      await ask(
        'read',
        () => demo.tally('issuer').trading.listOrderBookTrades({ surface: 'orderbooks/commodities', params }),
        ({ total, trades }) =>
          `${total} trades of gold: ${trades.map(({ settlementStatus }) => settlementStatus).join(' ')}`,
      )
    },
  },
  {
    number: '4.11',
    name: 'Daily statistics by token',
    async run({ demo, ask }) {
      const request = {
        surface: 'orderbooks/external-securities',
        params: { tokenAddress: demo.token('NORD') },
      } as const
      await ask(
        'read',
        () => demo.tally('issuer').trading.getDailyStats(request),
        ({ stats, totals, orderbooks }) =>
          `${stats.length} days on ${orderbooks.length} book, ${totals.tradeCount} trades of ${totals.volumeBase} NORD`,
      )
    },
  },
  {
    number: '4.15',
    name: 'List off-chain order books',
    async run({ demo, ask }) {
      await ask(
        'read',
        () => demo.tally('issuer').trading.listOffchainBooks(),
        (books) =>
          books.map(({ symbol, status, settlementMode }) => `${symbol} ${status} ${settlementMode}`).join(', '),
      )
    },
  },
]
