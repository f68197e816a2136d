import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { ChainDisagreementError } from '../../platform/chain/agreement.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { seizureTotals } from './liquidations.service.ts'
import { readReadiness } from './readiness.service.ts'

/** Whether seizures and the sales after them can work, and what the router has done so far. */
export function createLiquidationConfig({ chains }: LendingParts) {
  async function readiness(record: DeployedRecord, named: string | undefined) {
    const signer = named === undefined ? null : parseAddress(named)
    try {
      return await readReadiness(chains.get(record.market.chainId), record, signer, {})
    } catch (error) {
      if (!(error instanceof ChainUnavailableError) && !(error instanceof ChainDisagreementError)) throw error
      return { onChainError: `The chain could not be read: ${error.message}.` }
    }
  }

  return {
    async get(call: MarketCall, marketId: string, { signerAddress }: { signerAddress?: string | undefined }) {
      const record = await findDeployedMarket(call, marketId)
      const { market } = record
      const totals = await seizureTotals(call, market)
      const found = await readiness(record, signerAddress)
      const base = { marketId, marketAddress: market.address, liquidationRouterAddress: market.router }
      const stats = {
        totalLiquidations: totals.total,
        pendingLiquidationDebt: formatUnits(BigInt(totals.pendingDebt), market.borrowDecimals),
        totalAuctions: totals.auctions,
      }
      if ('onChainError' in found) return { data: { ...base, stats, onChainError: found.onChainError } }
      return { data: { ...base, ...found.readiness, stats }, block: found.block }
    },

    async routerStats(call: MarketCall, marketId: string | undefined) {
      if (!marketId) throw new AppError('MARKET_REQUIRED')
      const { market } = await findDeployedMarket(call, marketId)
      const { router, collateralDecimals, borrowDecimals } = market
      const { block, results } = await chains
        .get(market.chainId)
        .read([contractRead(router, abis.router, 'totals', [])])
      const [totals] = results
      if (!totals.ok) throw new AppError('STATS_UNAVAILABLE')
      const [received, settled, collateral, proceeds] = totals.value
      const data = {
        routerAddress: router,
        totalReceived: received.toString(),
        totalSettled: settled.toString(),
        totalCollateralProcessed: formatUnits(collateral, collateralDecimals),
        totalCollateralProcessedRaw: collateral.toString(),
        totalProceedsRouted: formatUnits(proceeds, borrowDecimals),
        totalProceedsRoutedRaw: proceeds.toString(),
      }
      return { data, block }
    },
  }
}

export type LiquidationConfig = ReturnType<typeof createLiquidationConfig>
