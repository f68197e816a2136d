import type { DemoCall } from '../demo-signing.ts'
import type { DemoWorld } from '../demo-world.ts'
import { eventually } from '../patience.ts'
import {
  birthPrice,
  type MarketPlan,
  marketPlans,
  seekingPlan,
  shortTermDays,
  startsDueSoon,
  usualTermDays,
} from './market-plan.ts'
import { createStage, markets, type Stage } from './market-stage.ts'

export interface MarketRecord {
  readonly id: string
  readonly marketAddress: string | null
  readonly collateralMode: string
  readonly collateralTokenAddress: string
  readonly borrowAssetAddress: string
  readonly priceSource: string
  readonly onChain?: { readonly isOnChain: boolean; readonly seekingCurator?: boolean } | null
}

export interface DeployedMarket extends MarketRecord {
  readonly label: string
  readonly marketAddress: string
  readonly seeksLender: boolean
}

export async function listRecords(call: Stage['issuer']['call']): Promise<readonly MarketRecord[]> {
  return (await call<{ markets: MarketRecord[] }>('GET', `${markets}?includeOnChain=true`)).markets
}

const isLost = ({ marketAddress, onChain }: MarketRecord) => marketAddress !== null && onChain?.isOnChain !== true

/** A chain that came back without our markets is a reorganization: the follower undoes the records, and then they can come again. */
async function settledRecords({ issuer }: Stage): Promise<readonly MarketRecord[]> {
  return eventually(async () => {
    const records = await listRecords(issuer.call)
    return records.some(isLost) ? undefined : records
  })
}

interface DeployPlan {
  readonly label: string
  readonly mode: 'FREEZE' | 'CUSTODY'
  readonly symbol: string
  readonly borrows: string
  readonly deployedAt: string
  readonly initialPrice: string
  readonly maxLoanDurationDays?: number
}

const deployed = (plan: MarketPlan): DeployPlan => ({
  ...{ ...plan, borrows: 'dEUR', initialPrice: birthPrice },
  maxLoanDurationDays: startsDueSoon(plan) ? shortTermDays : usualTermDays,
})

const isOld = (plan: MarketPlan): boolean => plan.isOld ?? false
const oldPlans = marketPlans.filter(isOld).map(deployed)
const youngPlans: readonly DeployPlan[] = [
  ...marketPlans.filter((plan) => !isOld(plan)).map(deployed),
  { ...seekingPlan, borrows: 'dEUR', initialPrice: seekingPlan.price },
]

/** What the owner of the factory signs around a deployment. */
interface Around {
  readonly before: readonly DemoCall[]
  readonly behind: readonly DemoCall[]
}

/** A record of the issuer, or a new market if there is none. */
export async function ensureMarket(
  { world, issuer, lender, act }: Stage,
  known: readonly MarketRecord[],
  { label, mode, symbol, borrows, deployedAt, initialPrice, maxLoanDurationDays }: DeployPlan,
  around?: Around,
): Promise<DeployedMarket> {
  const pair = { collateralTokenAddress: world.tokens[symbol], borrowAssetAddress: world.tokens[borrows] }
  const record = known.find(
    (one) =>
      one.collateralTokenAddress === pair.collateralTokenAddress &&
      one.borrowAssetAddress === pair.borrowAssetAddress &&
      one.collateralMode === mode,
  )
  const body = {
    ...{ ...pair, initialPrice, mode, candidates: [lender.account.address] },
    ...(maxLoanDurationDays ? { maxLoanDurationDays } : {}),
  }
  const path = `${deployedAt}/markets/deploy`
  const market = record?.marketAddress
    ? record
    : (await act<{ market: MarketRecord }>(issuer.call, path, { body, by: issuer.account, ...around })).market
  const { marketAddress } = market
  if (!marketAddress) throw new Error(`the ${label} market of the demo has no address`)
  return { ...market, label, marketAddress, seeksLender: market.onChain?.seekingCurator ?? true }
}

/** One after another: the order decides their addresses. */
async function ensureAll(stage: Stage, plans: readonly DeployPlan[]): Promise<DeployedMarket[]> {
  const known = await settledRecords(stage)
  const markets: DeployedMarket[] = []
  for (const plan of plans) markets.push(await ensureMarket(stage, known, plan))
  return markets
}

/** Those that are as old as the chain: to be made before its clock is brought to the present. */
export async function ensureOldMarkets(world: DemoWorld): Promise<void> {
  await ensureAll(createStage(world), oldPlans)
}

/** The markets of the demo. */
export const ensureDeployed = (stage: Stage): Promise<DeployedMarket[]> =>
  ensureAll(stage, [...oldPlans, ...youngPlans])
