import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { grantAccess } from '../../writes/index.ts'
import { isStockSurface } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { assetDataReads, assetDataView } from './asset-data.reads.ts'
import { authorityOf, originOf } from './asset-data.rules.ts'
import * as store from './asset-data.store.ts'

/** Who asks about a market by its address, and on which prefix. */
export interface AssetDataRequest {
  readonly tenant: TenantDatabase
  readonly instance: Instance
  readonly mountedAt: string
  readonly market: string
}

const notDeployed = () => new AppError('MARKET_NOT_DEPLOYED')

/** Lets an instance at a market that it deployed, adopted, or may take over. To everybody else it does not exist. */
export function createMarketAccess({ clock, chains }: LendingParts) {
  const standingOf = async (tenant: TenantDatabase, chainId: number, market: Address): Promise<store.Standing> => {
    const [standing] = await tenant.read((sql) => store.findStanding(sql, tenant.instanceId, chainId, market))
    if (!standing) throw new Error('a look-up of one row answered none')
    return standing
  }

  /** What its deployer recorded about the market becomes readable to the one who reviews it. */
  async function makeReadable(tenant: TenantDatabase, chainId: number, contracts: readonly Address[]): Promise<void> {
    const now = clock.now()
    await tenant.apart(async (sql) => {
      for (const address of contracts) await grantAccess(sql, tenant.instanceId, chainId, address, now)
    })
  }

  async function open({ tenant, instance, mountedAt, market: text }: AssetDataRequest) {
    const market = requireAddressField('market', text)
    const { chainId, lenderApproved } = instance
    const standing = await standingOf(tenant, chainId, market)
    const factory = standing.recordedFactory ?? standing.configuredFactory
    if (!factory) throw new AppError('LENDING_NOT_CONFIGURED')
    const { block, results } = await chains.get(chainId).read(assetDataReads(factory, market))
    const view = assetDataView(results)
    if (view.isMarket === null) throw new AppError('FACTORY_READ_FAILED')
    const { wallets, hasRecord } = standing
    const origin = view.isMarket ? originOf(view, { wallets, hasRecord, lenderApproved }) : null
    if (!origin) throw notDeployed()
    const isReadable = [market, factory].every((address) => standing.readable.includes(address))
    if (!isReadable) await makeReadable(tenant, chainId, [market, factory])
    if (isStockSurface(mountedAt)) {
      const { isOwnStock } = isReadable ? standing : await standingOf(tenant, chainId, market)
      if (!isOwnStock) throw notDeployed()
    }
    return { chainId, market, factory, wallets, origin, view, authority: authorityOf(view), block }
  }

  return { open }
}

export type MarketAccess = ReturnType<typeof createMarketAccess>
export type OpenedMarket = Awaited<ReturnType<MarketAccess['open']>>
