import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, findMarket, isServedAt, type MarketCall, marketStore } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { routerIdOf, statusOf, venueIdOf } from './liquidation-id.rules.ts'

/** Which liquidation is meant: by the number of its router, and by its market where that is not enough. */
export interface LiquidationCall extends MarketCall {
  readonly liquidationId: string
  readonly marketId: { readonly inBody: string | undefined; readonly inQuery: string | undefined }
}

/** A market's record of what was seized, and the number by which the caller knows it. */
export interface Located {
  readonly record: DeployedRecord
  readonly chain: Chain
  readonly liquidationId: string
  readonly realizationId: bigint
}

/** The same on a router. */
export interface LocatedOnRouter extends Located {
  readonly id: bigint
  /** What the market claims of the collateral; it never changes. */
  readonly claim: bigint
}

type Candidate<T> = { readonly record: DeployedRecord; readonly value: T }

/** Standing in both places it must be the same market. */
export function namedMarket({ marketId: { inBody, inQuery } }: LiquidationCall): string | undefined {
  if (inBody !== undefined && inQuery !== undefined && inBody !== inQuery)
    throw fieldError('VALIDATION_ERROR', [{ field: 'marketId', message: 'differs between body and query' }])
  return inBody ?? inQuery
}

/** One of them, or why not. */
function only<T>(found: readonly Candidate<T>[], show: (one: Candidate<T>) => object): Candidate<T> {
  const [first, second] = found
  if (!first) throw new AppError('LIQUIDATION_NOT_FOUND')
  if (!second) return first
  const candidates = found.map((one) => ({
    marketId: one.record.marketId,
    marketAddress: one.record.market.address,
    ...show(one),
  }))
  throw new AppError('AMBIGUOUS_LIQUIDATION_ID', { extra: { candidates } })
}

/**
 * Numbers of liquidations restart with every router, and nobody has to report a seizure here: so a liquidation is looked for on the
 * routers of all markets of the instance, in one round trip, and known as soon as it is on chain.
 */
export function createLookup({ chains }: LendingParts) {
  async function marketsOf(call: LiquidationCall): Promise<DeployedRecord[]> {
    const { tenant, mountedAt } = call
    const marketId = namedMarket(call)
    if (marketId !== undefined) {
      const record = await findMarket(call, marketId)
      if (!record.market) throw new AppError('ROUTER_NOT_CONFIGURED')
      return [{ ...record, market: record.market }]
    }
    const rows = await tenant.read((sql) => marketStore.listDeployed(sql, tenant.instanceId))
    return marketStore
      .asRecords(rows)
      .flatMap((record) => (record.market ? [{ ...record, market: record.market }] : []))
      .filter((record) => isServedAt(mountedAt, record))
  }

  function answered<T>(records: readonly DeployedRecord[], results: readonly ReadResult<T>[]): Candidate<T>[] {
    return records.map((record, index) => {
      const result = results[index]
      // It might have the number too: then which one is meant could not be told.
      if (!result?.ok)
        throw new AppError('ROUTER_UNREADABLE', {
          detail: `The router of market ${record.marketId} could not be read. Try again, or send the marketId that you mean.`,
        })
      return { record, value: result.value }
    })
  }

  async function onRouters(records: readonly DeployedRecord[], id: bigint) {
    const chain = chains.get(records[0]?.market.chainId ?? 0)
    const { results } = await chain.read(
      records.map(({ market }) => contractRead(market.router, abis.router, 'liquidation', [id])),
    )
    return answered(records, results).filter(({ value }) => value.timestamp !== 0n)
  }

  async function onVenues(records: readonly DeployedRecord[], id: bigint) {
    const chain = chains.get(records[0]?.market.chainId ?? 0)
    const { results } = await chain.read(
      records.map(({ market }) => contractRead(market.address, abis.market, 'realization', [id])),
    )
    return answered(records, results).filter(({ value }) => value.isAuction)
  }

  async function routed(records: readonly DeployedRecord[], liquidationId: string): Promise<LocatedOnRouter> {
    const id = routerIdOf(liquidationId)
    const found = id === null || records.length === 0 ? [] : await onRouters(records, id)
    const { record, value } = only(found, (one) => ({
      status: one.value.settled ? 'SETTLED' : 'PENDING',
      collateralAmount: formatUnits(one.value.collateralAmount, one.record.market.collateralDecimals),
    }))
    const chain = chains.get(record.market.chainId)
    const { marketLiquidationId: realizationId, debtOwed: claim } = value
    return { record, chain, liquidationId, id: id ?? 0n, realizationId, claim }
  }

  return {
    /** What a router holds. A number of the venue's is no number of a router. */
    async onRouter(call: LiquidationCall): Promise<LocatedOnRouter> {
      const { liquidationId } = call
      const records = await marketsOf(call)
      const venueId = venueIdOf(liquidationId)
      if (venueId === null || records.length === 0) return routed(records, liquidationId)
      throw new AppError(
        (await onVenues(records, venueId)).length > 0 ? 'LIQUIDATION_ON_VENUE' : 'LIQUIDATION_NOT_FOUND',
      )
    },

    /** The record of the market, whoever holds the collateral. */
    async inMarket(call: LiquidationCall): Promise<Located> {
      const { liquidationId } = call
      const records = await marketsOf(call)
      const venueId = venueIdOf(liquidationId)
      if (venueId === null || records.length === 0) return routed(records, liquidationId)
      const { record } = only(await onVenues(records, venueId), (one) => ({
        status: statusOf(one.value.status),
        collateralAmount: null,
      }))
      return { record, chain: chains.get(record.market.chainId), liquidationId, realizationId: venueId }
    },
  }
}
