import { lendingPrefixes } from '@tallystick/wire'
import type { PendingQuery, Row } from 'postgres'
import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Sql, TenantDatabase } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import * as store from './market.store.ts'

/** Where a request came in: the rows it may see, and the prefix it used. */
export interface MarketCall {
  readonly tenant: TenantDatabase
  readonly mountedAt: string
}

/** A record whose market stands on chain. */
export type DeployedRecord = store.MarketRecord & { readonly market: store.Market }

export const isStockSurface = (mountedAt: string) => mountedAt.startsWith(lendingPrefixes.stocks)

/** The prefix for stocks serves markets on our own stock tokens only. */
export function isServedAt(mountedAt: string, record: { market: Pick<store.Market, 'isOwnStock'> | null }): boolean {
  return !isStockSurface(mountedAt) || record.market?.isOwnStock === true
}

/** Further columns of the same look-up. */
type MoreColumns = (sql: Sql) => PendingQuery<Row[]>

/** The market that a path names, as the caller's instance recorded it. Everything else is "not found". */
export async function findMarket<F = unknown>(
  { tenant, mountedAt }: MarketCall,
  marketId: string,
  more?: MoreColumns,
): Promise<store.MarketRecord & F> {
  const find = (sql: Sql) => store.findRecord<F>(sql, tenant.instanceId, marketId, more?.(sql))
  const [record] = store.asRecords(isUuid(marketId) ? await tenant.read(find) : [])
  if (!record || !isServedAt(mountedAt, record)) throw new AppError('MARKET_NOT_FOUND')
  return record
}

export async function findDeployedMarket<F = unknown>(
  call: MarketCall,
  marketId: string,
  more?: MoreColumns,
): Promise<DeployedRecord & F> {
  const record = await findMarket<F>(call, marketId, more)
  if (!record.market) throw new AppError('NO_MARKET_ADDRESS')
  return { ...record, market: record.market }
}

/** The factory that new markets of a chain come from. */
export async function findFactory(tenant: TenantDatabase, chainId: number): Promise<Address> {
  const [factory] = await tenant.read((sql) => store.findContract(sql, chainId, 'LendingFactory'))
  if (!factory) throw new AppError('LENDING_NOT_CONFIGURED')
  return factory.address
}

/** The factory that makes this deployment's own stock tokens; null: there is none on this chain. */
export async function findStockFactory(tenant: TenantDatabase, chainId: number): Promise<Address | null> {
  const [factory] = await tenant.read((sql) => store.findContract(sql, chainId, 'StockFactory'))
  return factory?.address ?? null
}

/** A route of the same prefix that the request used, with its parameters filled in. */
export function endpointAt(mountedAt: string, path: string): string {
  const prefix = Object.values(lendingPrefixes).find((one) => mountedAt.startsWith(`${one}/`)) ?? lendingPrefixes.v2
  return `${prefix}${path}`
}
