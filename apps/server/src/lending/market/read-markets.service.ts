import { getAddress } from 'viem'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { listErc20 } from '../../tokens/index.ts'
import { findMarket, isServedAt, type MarketCall, marketStore } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { type MarketStateResults, marketState, marketStateReads } from './market-state.reads.ts'
import { onChainMarket } from './on-chain-market.rules.ts'
import { storedMarket } from './stored-market.rules.ts'

const unread = { isOnChain: false, readFailed: true } as const

/** Markets as their instances recorded them, and as the chain shows them now. */
export function createReadMarkets({ chains }: LendingParts) {
  /** All markets in one round trip, whatever their number. */
  async function readOnChain(chainId: number, markets: readonly marketStore.Market[]) {
    const perMarket = markets.map(marketStateReads)
    const { block, results } = await chains.get(chainId).read(perMarket.flat())
    const size = perMarket[0]?.length ?? 0
    const live = markets.map((market, index) => {
      const state = marketState(results.slice(index * size, (index + 1) * size) as unknown as MarketStateResults)
      return state ? onChainMarket(market, state, block.time) : unread
    })
    return { block, live }
  }

  return {
    async list(call: MarketCall, instance: Instance, includeOnChain: boolean) {
      const { tenant, mountedAt } = call
      const rows = await tenant.read((sql) => marketStore.listActive(sql, tenant.instanceId))
      const records = marketStore.asRecords(rows).filter((record) => record.market && isServedAt(mountedAt, record))
      if (!includeOnChain) return { data: { markets: records.map(storedMarket) } }
      const markets = records.flatMap(({ market }) => (market ? [market] : []))
      const { block, live } = await readOnChain(instance.chainId, markets)
      return {
        data: {
          markets: records.map((record, index) => ({ ...storedMarket(record), onChain: live[index] ?? unread })),
        },
        block,
      }
    },

    async get(call: MarketCall, marketId: string) {
      const record = await findMarket(call, marketId)
      const { market } = record
      if (!market) return { data: { ...storedMarket(record), onChain: null } }
      const { block, live } = await readOnChain(market.chainId, [market])
      return { data: { ...storedMarket(record), onChain: live[0] ?? unread }, block }
    },

    async borrowAssets(tenant: TenantDatabase) {
      const rows = await tenant.read((sql) => listErc20(sql, tenant.instanceId))
      const assets = rows.map(({ tokenAddress, symbol, name, decimals }, index) => ({
        address: getAddress(tokenAddress),
        symbol,
        name,
        decimals,
        isDefault: index === 0,
      }))
      return { assets, custom: { minDecimals: 6 as const, maxDecimals: 18 as const } }
    },
  }
}

export type ReadMarkets = ReturnType<typeof createReadMarkets>
