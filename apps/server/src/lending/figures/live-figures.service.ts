import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, refuse } from '../../platform/app-error.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { LARGEST_BOOKED } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall, requireAmount } from '../core/index.ts'
import { ageOf } from '../oracle/index.rules.ts'
import type { LendingParts } from '../parts.ts'
import { readLoanBook } from '../rates/index.ts'
import { metricsOf, unreadMetrics } from './metrics.ts'
import { readMetrics } from './metrics-state.ts'

const emptyBook = { open: 0, unbounded: 0, latestDueAt: null }

/** Figures as the chain has them now, each answer from one block. */
export function createLiveFigures({ chains }: LendingParts) {
  return {
    async metrics(call: MarketCall, marketId: string) {
      const { market, venue } = await findDeployedMarket(call, marketId)
      const { chainId, address } = market
      const [book = emptyBook] = await call.tenant.read((sql) => readLoanBook(sql, chainId, address))
      const { block, state } = await readMetrics(chains.get(chainId), market, venue)
      if (!block) return { data: unreadMetrics(market) }
      return { data: state ? metricsOf(market, state, book, block.time) : unreadMetrics(market), block }
    },

    async maxBorrow(call: MarketCall, marketId: string, collateralAmount: string | undefined) {
      const { market } = await findDeployedMarket(call, marketId)
      const { address, oracle, collateralDecimals } = market
      const amount = requireAmount(collateralAmount ?? '', collateralDecimals, refuse, LARGEST_BOOKED)
      const { block, results } = await chains
        .get(market.chainId)
        .read([
          contractRead(address, abis.market, 'maxBorrow', [amount]),
          contractRead(oracle, abis.oracle, 'updatedAt', []),
          contractRead(oracle, abis.oracle, 'maxPriceAge', []),
        ])
      const [most, updatedAt, maxPriceAge] = results
      if (!most.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
      const age =
        updatedAt.ok && maxPriceAge.ok
          ? ageOf(updatedAt.value, maxPriceAge.value, block.time)
          : { isStale: null, priceAge: null }
      const data = {
        collateralAmount: formatUnits(amount, collateralDecimals),
        maxBorrow: formatUnits(most.value, market.borrowDecimals),
        ...age,
      }
      return { data, block }
    },

    async supplyCaps(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { address } = market
      const reading = chains
        .get(market.chainId)
        .read([contractRead(address, abis.market, 'config', []), contractRead(address, abis.market, 'pool', [])])
      const read = await chainOrNull(reading)
      const [config, pool] = read?.results ?? []
      if (!read || !config?.ok || !pool?.ok)
        return {
          data: {
            maxTotalCollateral: null,
            maxUserCollateral: null,
            currentTotalCollateral: null,
            readFailed: true as const,
          },
          ...(read ? { block: read.block } : {}),
        }
      const asText = (raw: bigint) => formatUnits(raw, market.collateralDecimals)
      const data = {
        maxTotalCollateral: asText(config.value.maxTotalCollateral),
        maxUserCollateral: asText(config.value.maxUserCollateral),
        currentTotalCollateral: asText(pool.value.totalCollateral),
      }
      return { data, block: read.block }
    },
  }
}

export type LiveFigures = ReturnType<typeof createLiveFigures>
