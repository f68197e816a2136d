import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { allValues } from '../../platform/chain/contract-read.ts'
import type { Market } from '../market/market.store.ts'
import type { PoolFacts } from './fee-model.rules.ts'
import { addressIn, IMPLEMENTATION_SLOT, type UpgradeTarget } from './targets.rules.ts'
import { factoryReads, marketReads, ownerReads } from './upgrade-state.reads.ts'

const lower = (address: string) => address.toLowerCase() as Address
const orNull = (address: Address) => (address === zeroAddress ? null : lower(address))

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
    vaults: figures[1].map(lower),
    singleRegister: singleRegister.ok ? lower(singleRegister.value) : null,
  }
  return {
    block,
    inFactory: isMarket.ok ? isMarket.value : null,
    curator: deployment.ok ? orNull(deployment.value.curator) : undefined,
    served: (target: UpgradeTarget) => (served[target].ok ? lower(served[target].value) : null),
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

/** The proxy that a target means. The market itself says which model and fund it uses: the fund can be changed. */
export function resolveProxy(
  target: UpgradeTarget,
  market: Market,
  parts: UpgradeState['parts'],
  leg: 'build' | 'confirm',
): Address {
  switch (target) {
    case 'market':
      return market.address
    case 'router': {
      const router = market.router === zeroAddress ? parts?.router : market.router
      if (!router) throw new AppError('ROUTER_UNRESOLVED')
      return router
    }
    case 'rateModel':
      if (!parts?.rateModel) throw new AppError(parts || leg === 'build' ? 'MODEL_UNRESOLVED' : 'CHAIN_UNAVAILABLE')
      return parts.rateModel
    case 'insuranceFund':
      if (!parts?.insuranceFund)
        throw new AppError(leg === 'build' ? 'FUND_UNRESOLVED' : parts ? 'NO_INSURANCE_FUND' : 'CHAIN_UNAVAILABLE')
      return parts.insuranceFund
  }
}
