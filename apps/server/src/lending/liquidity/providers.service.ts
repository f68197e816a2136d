import type { lendingOperations, QueryOf } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { refuse } from '../../platform/app-error.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { eventId } from '../../platform/ids.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import { abis } from '../contracts.ts'
import { type Market, payableSharesDown, poolValueDown, shownShares } from '../core/index.rules.ts'
import { findDeployedMarket, findMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { requireProvider } from './liquidity-request.ts'
import * as store from './providers.store.ts'

type ListQuery = QueryOf<typeof lendingOperations.listProviders>
type Synced = { syncedBlock: string | null }

/** Block and place in the block of the first deposit. */
const CURSOR = /^\d{1,30} \d{1,9}$/
/** Ahead of everything. */
const START = ['9'.repeat(30), '999999999'] as const

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** The highest rate that a loan of the market was ever stamped with, in bps. */
export async function highestStampOf(tenant: TenantDatabase, { chainId, address }: Market): Promise<bigint> {
  const [row] = await tenant.read((sql) => store.highestStamp(sql, chainId, address))
  return BigInt(row?.stampBps ?? 0)
}

/** Who holds shares of a pool: the events say who ever did, the chain what they hold now. */
export function createProviders({ chains }: LendingParts) {
  /** Null: the chain could not be read, and nothing stands for it. */
  async function readShares({ chainId, address }: Market, providers: readonly Address[]) {
    const read = await chainOrNull(
      readNamed(chains.get(chainId), {
        pool: contractRead(address, abis.market, 'pool', []),
        shares: providers.map((provider) => contractRead(address, abis.market, 'sharesOf', [provider])),
      }),
    )
    const shares = read && allValues(read.results.shares)
    return read && shares && read.results.pool.ok ? { block: read.block, pool: read.results.pool.value, shares } : null
  }

  type Live = NonNullable<Awaited<ReturnType<typeof readShares>>>

  function shownProvider(market: Market, marketId: string, row: store.ProviderRow, live: Live | null, index: number) {
    const shares = live ? (live.shares[index] ?? 0n) : BigInt(row.shares)
    return {
      id: eventId(market.chainId, row.txHash, row.logIndex, 'provider'),
      marketId,
      provider: row.provider,
      amountDeposited: formatUnits(BigInt(row.deposited), market.borrowDecimals),
      sharesOwned: shownShares(shares),
      currentValue: live
        ? formatUnits(poolValueDown(shares, live.pool, market.borrowDecimals), market.borrowDecimals)
        : null,
      active: true as const,
      depositedAt: new Date(row.blockTime * 1000).toISOString(),
      withdrawnAt: null,
      source: row.isVault ? ('vault' as const) : ('wallet' as const),
      vault: row.isVault ? { id: row.vaultId, name: row.vaultName, symbol: row.vaultSymbol } : null,
    }
  }

  return {
    async list(call: MarketCall, marketId: string, query: ListQuery) {
      const { market, syncedBlock } = await findMarket<Synced>(call, marketId, store.syncedBlock)
      const { limit, offset } = pageOf(query, { fallback: 50, most: 200 })
      const [blockNumber = '', blockLogIndex = ''] = readCursor(query.cursor, CURSOR) ?? START
      if (!market) {
        const nobody = { providers: [], source: 'database' as const, syncedBlock: null, total: 0, hasMore: false }
        return { data: { ...nobody, limit, offset, nextCursor: null } }
      }
      const { tenant } = call
      const wish = { limit, offset, after: { blockNumber, blockLogIndex } }
      const place = { instanceId: tenant.instanceId, chainId: market.chainId, market: market.address }
      const [found] = await tenant.read((sql) => store.listProviders(sql, { ...place, ...wish }))
      const { total, page } = found ?? { total: 0, page: [] }
      const live = await readShares(
        market,
        page.map(({ provider }) => provider),
      )
      const last = page.at(-1)
      const hasMore = offset + page.length < total
      const data = {
        // Whoever left since the events were read is no provider any more.
        providers: page
          .map((row, index) => shownProvider(market, marketId, row, live, index))
          .filter(({ sharesOwned }) => sharesOwned !== '0'),
        source: live ? ('onchain' as const) : ('database' as const),
        syncedBlock,
        total,
        hasMore,
        limit,
        offset,
        nextCursor: last && hasMore ? asCursor([last.blockNumber, String(last.blockLogIndex)]) : null,
      }
      return { data, ...(live ? { block: live.block } : {}) }
    },

    async balance(call: MarketCall, marketId: string, address: string) {
      const { market, syncedBlock } = await findDeployedMarket<Synced>(call, marketId, store.syncedBlock)
      const provider = requireProvider(address, refuse)
      const { chainId, borrowDecimals } = market
      const [told] = await call.tenant.read((sql) => store.findProvider(sql, chainId, market.address, provider))
      const read = await chainOrNull(
        readNamed(chains.get(chainId), {
          pool: contractRead(market.address, abis.market, 'pool', []),
          shares: contractRead(market.address, abis.market, 'sharesOf', [provider]),
          fees: contractRead(market.address, abis.market, 'distributorFeesPayable', [provider]),
        }),
      )
      const live = read && allValues([read.results.pool, read.results.shares, read.results.fees])
      const amount = (raw: bigint) => formatUnits(raw, borrowDecimals)
      const figures = {
        deposited: amount(BigInt(told?.deposited ?? 0)),
        withdrawn: amount(BigInt(told?.withdrawn ?? 0)),
      }
      if (!read || !live) {
        const unread = {
          currentValue: null,
          redeemableShares: null,
          distributorFees: null,
          source: 'database' as const,
        }
        return {
          data: { provider, shares: shownShares(BigInt(told?.shares ?? 0)), ...figures, ...unread, syncedBlock },
        }
      }
      const [pool, shares, fees] = live
      const data = {
        provider,
        shares: shownShares(shares),
        currentValue: amount(poolValueDown(shares, pool, borrowDecimals)),
        ...figures,
        redeemableShares: shownShares(smaller(shares, payableSharesDown(pool, borrowDecimals))),
        distributorFees: amount(fees),
        source: 'onchain' as const,
        syncedBlock,
      }
      return { data, block: read.block }
    },
  }
}

export type Providers = ReturnType<typeof createProviders>
