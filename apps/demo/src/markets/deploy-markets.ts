import { eventually } from '../patience.ts'
import { birthPrice, marketPlans, seekingPlan, shortTermDays, startsDueSoon, usualTermDays } from './market-plan.ts'
import { markets, type Stage } from './market-stage.ts'

export interface MarketRecord {
  readonly id: string
  readonly marketAddress: string | null
  readonly collateralMode: string
  readonly collateralTokenAddress: string
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

/** The markets of the demo, one after another: the order decides their addresses. */
export async function ensureDeployed(stage: Stage): Promise<DeployedMarket[]> {
  const { world, issuer, lender, act } = stage
  const requests = [
    ...marketPlans.map((plan) => ({
      ...{ ...plan, initialPrice: birthPrice },
      terms: { maxLoanDurationDays: startsDueSoon(plan) ? shortTermDays : usualTermDays },
    })),
    { ...seekingPlan, initialPrice: seekingPlan.price, terms: {} },
  ]
  const known = await settledRecords(stage)
  const deployed: DeployedMarket[] = []
  for (const { label, mode, symbol, deployedAt, initialPrice, terms } of requests) {
    const collateralTokenAddress = world.tokens[symbol]
    const record = known.find(
      (one) => one.collateralTokenAddress === collateralTokenAddress && one.collateralMode === mode,
    )
    const body = {
      ...{ collateralTokenAddress, borrowAssetAddress: world.tokens.dEUR, initialPrice, mode, ...terms },
      candidates: [lender.account.address],
    }
    const market = record?.marketAddress
      ? record
      : (await act<{ market: MarketRecord }>(issuer.call, `${deployedAt}/markets/deploy`, { body, by: issuer.account }))
          .market
    const { marketAddress } = market
    if (!marketAddress) throw new Error(`the ${label} market of the demo has no address`)
    deployed.push({ ...market, label, marketAddress, seeksLender: market.onChain?.seekingCurator ?? true })
  }
  return deployed
}
