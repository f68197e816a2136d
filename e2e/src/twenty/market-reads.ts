import { dayOf } from './days.ts'
import type { Endpoint } from './trial.ts'

/** What a market tells about itself. */
export const marketReads: readonly Endpoint[] = [
  {
    number: '4.10',
    name: 'Auction module status',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('freeze', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getAuctionModule({ params }),
        ({ wired, useDutchAuction, routerAuthorized, tokenAdmitted }) =>
          `wired ${wired}, auctions ${useDutchAuction}, router ${routerAuthorized}, token ${tokenAdmitted}`,
      )
    },
  },
  {
    number: '4.12',
    name: 'Setup steps',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('custody', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getSetupSteps({ params }),
        ({ mode, complete, steps }) =>
          `${mode}, ${steps.filter(({ done }) => done).length} of ${steps.length} steps done, complete ${complete}`,
      )
    },
  },
  {
    number: '4.16',
    name: 'Liquidation config',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('custody', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getLiquidationConfig({ params }),
        ({ isConfigured, stats }) =>
          `configured ${isConfigured}, ${stats.totalLiquidations} liquidation, ${stats.pendingLiquidationDebt} dEUR pending`,
      )
    },
  },
  {
    number: '4.19',
    name: 'Price history',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('stock-freeze', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getPriceHistory({ params }),
        ({ symbol, currentPrice, history }) =>
          `${symbol} at ${currentPrice}, ${history.length} points since ${dayOf(history[0]?.timestamp ?? 0)}`,
      )
    },
  },
]
