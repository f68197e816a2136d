import type { Address } from 'viem'
import type { DemoMarket, DemoWorld } from '../demo-world.ts'
import { ensureAdopted } from './adopt-market.ts'
import { ensureDeployed } from './deploy-markets.ts'
import { ensureEarlierMarket } from './earlier-market.ts'
import { letPriceFall, loansOpened, newestSeizure, openLoans, seize } from './lend.ts'
import { type MarketPlan, marketPlans } from './market-plan.ts'
import { createStage, type Stage } from './market-stage.ts'
import { ensurePriceHistory } from './price-history.ts'
import { configure, ensureVenue, provideLiquidity, setUpToken, wireVenue } from './set-up-market.ts'
import { publishTerms } from './terms-of-use.ts'

interface Adopted {
  readonly entry: DemoMarket
  readonly marketId: string
  readonly plan: MarketPlan
  readonly opened: number
  readonly venue: Address | undefined
}

/** The lending markets of the demo, with loans in every state. Does only what is missing and writes it into the world. */
export async function ensureMarkets(world: DemoWorld): Promise<void> {
  const stage = createStage(world)
  const adopted: Adopted[] = []
  for (const market of await ensureDeployed(stage)) {
    const { label, id, marketAddress, collateralMode, priceSource } = market
    const entry: DemoMarket = { marketAddress, mode: collateralMode, priceSource, records: { issuer: id }, loans: {} }
    const before = world.markets[label]
    world.markets[label] = entry
    const plan = marketPlans.find((one) => one.label === label)
    if (!plan) continue
    const marketId = await ensureAdopted(stage, market)
    entry.records.lender = marketId
    const opened = await loansOpened(stage, marketId)
    const venue = plan.hasVenue && opened === 0 ? await ensureVenue(stage, marketId) : undefined
    const planned = Object.fromEntries(plan.loans.map((loan, index) => [loan.label, index + 1]))
    // The keeper may have replaced one.
    entry.loans = opened < plan.loans.length ? planned : { ...planned, ...before?.loans }
    adopted.push({ entry, marketId, plan, opened, venue })
  }
  const [seizures] = await Promise.all([
    Promise.all(adopted.map((one) => bringToLife(stage, one))),
    ensureEarlierMarket(stage),
  ])
  for (const [index, { plan, marketId }] of adopted.entries())
    if (plan.seized)
      world.liquidations[plan.seized] = { instance: 'lender', marketId, liquidationId: seizures[index] ?? '' }
}

/** A market with a loan in it is set up: whatever its people changed since is theirs. Answers the seizure in it, if there is one. */
async function bringToLife(
  stage: Stage,
  { entry, marketId, plan, opened, venue }: Adopted,
): Promise<string | undefined> {
  if (opened === 0) {
    await Promise.all([
      plan.isOld ? ensurePriceHistory(stage, marketId) : undefined,
      plan.isExtensible ? publishTerms(stage, marketId) : undefined,
      setUpToken(stage, marketId),
      provideLiquidity(stage, marketId, plan.liquidity),
      venue ? wireVenue(stage, marketId, venue) : undefined,
    ])
    await configure(stage, marketId, plan.config)
  }
  if (opened < plan.loans.length) await openLoans(stage, marketId, plan)
  if (!plan.seized) return undefined
  const loanId = entry.loans[plan.seized] ?? 0
  const known = await newestSeizure(stage, marketId, loanId)
  if (known) return known
  await letPriceFall(stage, marketId)
  return seize(stage, marketId, loanId)
}
