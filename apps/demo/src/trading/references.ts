import type { DemoBook, TradingStage } from './trading-stage.ts'

/** A quarter of what the books take for fresh. */
const RENEWED_AFTER_MS = 15 * 60_000

/** Tells the price of a book again before it is too old to trade by. Whoever set another one is believed. */
export async function keepReference({ issuer, clock }: TradingStage, { path, plan }: DemoBook): Promise<void> {
  const { currentPrice, lastUpdated } = await issuer.call<{ currentPrice: string | null; lastUpdated: string | null }>(
    'GET',
    `${path}/price-reference`,
  )
  const age = lastUpdated === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - Date.parse(lastUpdated)
  if (age < RENEWED_AFTER_MS) return
  await issuer.call('POST', `${path}/price-reference`, { price: currentPrice ?? String(plan.price) })
}
