import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { type AppCode, AppError } from '../../platform/app-error.ts'
import { type Market, poolValueDown } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { type Connections, readConnections } from './vault-state.reads.ts'
import { closedFor, inOrder, sharePrice } from './vaults.rules.ts'
import * as store from './vaults.store.ts'

type Connection = Connections['connections'][number]

/** What a market draws on beyond its own pool. */
export function createVaultLiquidity({ chains }: LendingParts) {
  /** In one round trip when the record knows all vaults of the market, else in a second with the ones it did not. */
  async function connectionsOf(call: MarketCall, market: Market, others: readonly Address[], unreadable: AppCode) {
    const ever = await call.tenant.read((sql) => store.listEverRegistered(sql, market.chainId, market.address))
    const chain = chains.get(market.chainId)
    const known = [...new Set([...ever.map(({ address }) => address), ...others])]
    const first = await readConnections(chain, market.address, known)
    if (!first) throw new AppError(unreadable)
    if (inOrder(first.registered, first.connections).isComplete) return first
    const second = await readConnections(chain, market.address, [...new Set([...first.registered, ...known])])
    if (!second) throw new AppError(unreadable)
    return second
  }

  const valueIn = (market: Market, { pool }: Connections, shares: bigint) =>
    poolValueDown(shares, pool, market.borrowDecimals)

  function showConnection(market: Market, read: Connections, one: Connection, id: string | null) {
    const amount = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
    const { state, drawCap, drawable, shares } = one
    if (shares === null) throw new AppError('VAULTS_UNREADABLE')
    const identity = {
      id,
      vaultAddress: one.address,
      own: id !== null,
      registered: read.registered.includes(one.address),
      positionValue: amount(valueIn(market, read, shares)),
    }
    if (!state || drawCap === null || drawable === null) return { ...identity, readFailed: true as const }
    const refusal = closedFor(state)
    return {
      ...identity,
      readFailed: false as const,
      name: state.name,
      symbol: state.symbol,
      owner: state.owner,
      operatorMatches: state.owner === read.operator,
      assetAddress: state.asset,
      assetMatches: state.asset === market.borrowAsset,
      assetDecimals: state.decimals,
      depositsPaused: state.depositsPaused,
      depositable: refusal === null,
      depositRefusal: refusal,
      sharePrice: sharePrice(state.totalAssets, state.totalSupply),
      totalAssets: amount(state.totalAssets),
      idleAssets: amount(state.idleAssets),
      identityRegistryAddress: state.depositorRegistry,
      drawCap: amount(drawCap),
      drawableNow: amount(drawable),
    }
  }

  return {
    async get(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const read = await connectionsOf(call, market, [], 'MARKET_STATE_UNAVAILABLE')
      const { useVaultLiquidity, registered, connections, block } = read
      const { vaults } = inOrder(registered, connections)
      const data = {
        useVaultLiquidity,
        registeredVaults: vaults.map(({ address, drawCap, idleAssets, depositsPaused, shares }) => {
          if (shares === null) throw new AppError('MARKET_STATE_UNAVAILABLE')
          return {
            vaultAddress: address,
            drawCap: drawCap?.toString() ?? null,
            idleAssets: idleAssets?.toString() ?? null,
            depositsPaused,
            drawnValue: valueIn(market, read, shares).toString(),
            inert: drawCap === null ? null : !useVaultLiquidity || drawCap === 0n,
          }
        }),
        inertHalves: {
          enabledWithoutVaults: useVaultLiquidity && registered.length === 0,
          registeredButDisabled: !useVaultLiquidity && registered.length > 0,
          cappedButUnregisteredIsInvisible: true as const,
        },
      }
      return { data, block }
    },

    async listConnected(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { tenant } = call
      const records = await tenant.read((sql) => store.listVaults(sql, tenant.instanceId))
      const own = records.filter(
        ({ chainId, asset }) => Number(chainId) === market.chainId && asset === market.borrowAsset,
      )
      const addresses = own.map(({ address }) => address)
      const read = await connectionsOf(call, market, addresses, 'VAULTS_UNREADABLE')
      const listed = [...new Set([...read.registered, ...addresses])]
      const idOf = new Map(own.map(({ address, vaultId }) => [address, vaultId]))
      const { vaults } = inOrder(listed, read.connections)
      const data = {
        useVaultLiquidity: read.useVaultLiquidity,
        vaults: vaults.map((one) => showConnection(market, read, one, idOf.get(one.address) ?? null)),
      }
      return { data, block: read.block }
    },
  }
}

export type VaultLiquidityService = ReturnType<typeof createVaultLiquidity>
