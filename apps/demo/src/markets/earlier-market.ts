import { lendingFactoryAbi } from '@tallystick/abi'
import { firstGenerationMarketAbi, firstGenerationMarketBytecode } from '@tallystick/abi/testing'
import { type Address, encodeDeployData, encodeFunctionData, stringToHex } from 'viem'
import { ensureCreated } from '../create2.ts'
import type { DemoCall } from '../demo-signing.ts'
import type { DemoMarket } from '../demo-world.ts'
import { GOLD } from '../gold.ts'
import { ensureAdopted } from './adopt-market.ts'
import { ensureMarket, listRecords } from './deploy-markets.ts'
import { earlierPlan } from './market-plan.ts'
import { ofMarket, type Stage } from './market-stage.ts'

/** What the operator of such a market was offered, in basis points of interest. */
const OPERATOR_SHARE = 1_000n

const { label, price } = earlierPlan
const plan = { ...earlierPlan, borrows: GOLD, initialPrice: price }

/** Markets get the implementation that the factory serves when they are made. */
function serve({ world }: Stage, implementation: Address): DemoCall {
  const args = [stringToHex('market', { size: 32 }), implementation] as const
  const data = encodeFunctionData({ abi: lendingFactoryAbi, functionName: 'setImplementation', args })
  return { to: world.contracts.LendingFactory as Address, data }
}

async function firstGeneration({ world, issuer }: Stage): Promise<Address> {
  const { LendingFactory, LendingMarketImplementation } = world.contracts
  const args = [LendingFactory as Address, LendingMarketImplementation as Address, OPERATOR_SHARE] as const
  const terms = { abi: firstGenerationMarketAbi, bytecode: firstGenerationMarketBytecode, args }
  return ensureCreated(world.rpcUrl, issuer.account, encodeDeployData(terms))
}

/**
 * A market that runs what the factory served long ago, adopted by the lender. The factory serves it again for one transaction of its owner,
 * and what it serves today right behind that.
 */
export async function ensureEarlierMarket(stage: Stage): Promise<void> {
  const { world, issuer } = stage
  const implementation = await firstGeneration(stage)
  const market = await ensureMarket(stage, await listRecords(issuer.call), plan, {
    before: [serve(stage, implementation)],
    behind: [serve(stage, world.contracts.LendingMarketImplementation as Address)],
  })
  const { id, marketAddress, collateralMode: mode, priceSource } = market
  const records = { issuer: id, lender: await ensureAdopted(stage, market) }
  world.markets[label] = { marketAddress, mode, priceSource, records, loans: {} }
}

const isUpgraded = async ({ lender }: Stage, marketId: string): Promise<boolean> => {
  const { market } = await lender.call<{ market: { upgradeAvailable: boolean | null } }>(
    'GET',
    ofMarket(marketId, '/upgrade'),
  )
  return market.upgradeAvailable === false
}

/** One that was upgraded is archived, and another one takes its place and its label. */
export async function keepEarlierMarket(stage: Stage, { records }: DemoMarket): Promise<void> {
  const { issuer, lender } = stage
  if (!records.issuer || !records.lender || !(await isUpgraded(stage, records.lender))) return
  await lender.call('POST', ofMarket(records.lender, '/archive'), {})
  await issuer.call('POST', ofMarket(records.issuer, '/archive'), {})
  await ensureEarlierMarket(stage)
}
