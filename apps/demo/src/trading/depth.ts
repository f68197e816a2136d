import { type OrderRequest, type Placed, placeOrders } from './place-orders.ts'
import { depthPlan, priceAt, traderNames, unitsOf } from './trading-plan.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

interface Level {
  readonly price: string
}

/** Puts orders back that were taken, or have expired. Answers those that were refused. */
export async function keepDepth(stage: TradingStage, book: DemoBook): Promise<readonly Placed[]> {
  const { depth } = await stage.issuer.call<{ depth: { bids: Level[]; asks: Level[] } }>(
    'GET',
    `${book.path}/snapshot?levels=100`,
  )
  const taken = {
    BUY: new Set(depth.bids.map(({ price }) => price)),
    SELL: new Set(depth.asks.map(({ price }) => price)),
  }
  const results = await Promise.all(
    traderNames.map((name) => {
      const requests = depthPlan
        .filter(({ by }) => by === name)
        .map(
          ({ side, bps, quantity }): OrderRequest => ({
            ...{ side, price: priceAt(book.plan, bps), quantity: unitsOf(quantity), postOnly: true },
          }),
        )
        .filter(({ side, price }) => !taken[side].has(price.toString()))
      return placeOrders(stage, book, name, requests)
    }),
  )
  // Somebody offers more than the demo asks for: it has to wait.
  return results.flat().filter(({ error }) => error && error.code !== 'POST_ONLY_WOULD_CROSS')
}
