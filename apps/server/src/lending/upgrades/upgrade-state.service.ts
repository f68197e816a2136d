import { type Address, type Hex, zeroAddress } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { allValues } from '../../platform/chain/contract-read.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import type { Market } from '../core/index.rules.ts'
import type { PoolFacts } from './fee-model.rules.ts'
import { listServed } from './served.store.ts'
import { addressIn, IMPLEMENTATION_SLOT, targets, type UpgradeTarget } from './targets.rules.ts'
import { factoryReads, marketReads, ownerReads } from './upgrade-state.reads.ts'

const orNull = (address: Address) => (address === zeroAddress ? null : lowered(address))

/** Everything about the four proxies of a market in one round trip; what did not answer is null. */
export async function readUpgradeState(chain: Chain, factory: Address, market: Market) {
  const ofFactory = factoryReads(factory, market.address)
  const ofMarket = marketReads(market)
  const proxies = [market.address, market.rateModel, market.router, market.insuranceFund] as const
  const { block, results, slots } = await chain.readWithSlots(
    [...ofFactory, ...ofMarket, ...ownerReads(market.rateModel), ...ownerReads(market.insuranceFund)],
    proxies.map((address) => ({ address, slot: IMPLEMENTATION_SLOT })),
  )
  const [isMarket, deployment, servedMarket, servedModel, servedRouter, servedFund, ...rest] = results
  const [parts, pool, vaults, version, offeredShare, singleRegister, instrumented, stamps, ...owners] = rest
  const [modelOwner, modelPending, fundOwner, fundPending] = owners
  const served = { market: servedMarket, rateModel: servedModel, router: servedRouter, insuranceFund: servedFund }
  const current: Record<UpgradeTarget, Hex | null> = {
    market: addressIn(slots[0] ?? null),
    rateModel: addressIn(slots[1] ?? null),
    router: addressIn(slots[2] ?? null),
    insuranceFund: addressIn(slots[3] ?? null),
  }
  const figures = allValues([pool, vaults])
  const facts: PoolFacts | null = figures && {
    offeredShareBps: offeredShare.ok ? Number(offeredShare.value) : null,
    totalShares: figures[0].totalShares,
    activeLoans: figures[0].activeLoans,
    totalBorrowed: figures[0].totalBorrowed,
    vaults: figures[1].map(lowered),
    singleRegister: singleRegister.ok ? lowered(singleRegister.value) : null,
  }
  return {
    block,
    inFactory: isMarket.ok ? isMarket.value : null,
    curator: deployment.ok ? orNull(deployment.value.curator) : undefined,
    served: (target: UpgradeTarget) => (served[target].ok ? lowered(served[target].value) : null),
    current,
    parts: parts.ok
      ? {
          rateModel: orNull(parts.value.model),
          insuranceFund: orNull(parts.value.fund),
          router: orNull(parts.value.router),
        }
      : null,
    facts,
    version: version.ok ? version.value : null,
    instrumented: instrumented.ok ? instrumented.value : null,
    stampsLoanTerms: stamps.ok ? stamps.value : null,
    owners: {
      rateModel: { owner: modelOwner, pending: modelPending },
      insuranceFund: { owner: fundOwner, pending: fundPending },
    },
  }
}

export type UpgradeState = Awaited<ReturnType<typeof readUpgradeState>>

/** The proxy that a target means. The market itself says which model and fund it uses: the fund can be changed. Null: none is known. */
export function proxyOf(target: UpgradeTarget, market: Market, parts: UpgradeState['parts']): Address | null {
  if (target === 'market') return market.address
  if (target === 'router' && market.router !== zeroAddress) return market.router
  return parts?.[target] ?? null
}

/** Every implementation that the factory of a market served for this target, as far as its events are known. */
export async function readServedEver(tenant: TenantDatabase, { chainId, factory }: Market, target: UpgradeTarget) {
  const rows = await tenant.read((sql) => listServed(sql, chainId, factory, targets[target].servedAs))
  return rows.map(({ implementation }) => implementation)
}
