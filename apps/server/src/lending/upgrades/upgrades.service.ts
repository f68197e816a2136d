import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { findDeployedMarket, findFactory, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { createBuildUpgrade } from './build-upgrade.service.ts'
import { feeModel, isImpactful, perimeter } from './fee-model.rules.ts'
import { listServed } from './served.store.ts'
import { targets, type UpgradeTarget } from './targets.rules.ts'
import { upgradeCalls } from './upgrade.call.ts'
import { readUpgradeState, resolveProxy, type UpgradeState } from './upgrade-state.service.ts'

type UpgradeBody = BodyOf<typeof lendingOperations.upgradeMarket>

function proxyStatus(target: UpgradeTarget, address: Address | null, state: UpgradeState) {
  const current = state.current[target] as Address | null
  const served = state.served(target)
  const serving = served === zeroAddress ? null : served
  return {
    address: address === zeroAddress ? null : address,
    readable: current !== null,
    currentImplementation: current,
    targetImplementation: serving,
    upgradeAvailable: current === null || served === null ? null : serving !== null && serving !== current,
    requiredRole: targets[target].requiredRole,
  }
}

const addressOf = (result: ReadResult<Address>) =>
  result.ok && result.value !== zeroAddress ? (result.value.toLowerCase() as Address) : null

export function createUpgrades(parts: LendingParts) {
  const { chains, intents } = parts

  return {
    build: createBuildUpgrade(parts),

    async status(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const factory = await findFactory(call.tenant, market.chainId)
      const state = await readUpgradeState(chains.get(market.chainId), factory, market)
      const { facts, owners } = state
      const owned = (target: 'rateModel' | 'insuranceFund') => ({
        owner: addressOf(owners[target].owner),
        pendingOwner: addressOf(owners[target].pending),
      })
      const generation = facts && (facts.offeredShareBps === null ? 'FIXED_SHARES' : 'OFFERED_SHARE')
      const data = {
        marketId,
        marketAddress: market.address,
        inFactory: state.inFactory,
        seekingCurator: state.curator === undefined ? null : state.curator === null,
        feeShareGeneration: generation as 'FIXED_SHARES' | 'OFFERED_SHARE' | null,
        stampsLoanTerms: state.stampsLoanTerms,
        instrumented: state.instrumented,
        market: proxyStatus('market', market.address, state),
        rateModel: { ...proxyStatus('rateModel', market.rateModel, state), ...owned('rateModel') },
        router: proxyStatus('router', market.router, state),
        insuranceFund: { ...proxyStatus('insuranceFund', market.insuranceFund, state), ...owned('insuranceFund') },
        perimeter: facts && perimeter(facts),
        feeModel: facts && feeModel(market, facts),
        acknowledgementRequired: facts && isImpactful(facts),
      }
      return { data, block: state.block }
    },

    async confirm(call: MarketCall, marketId: string, { target = 'market', txHash }: UpgradeBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const chain = chains.get(market.chainId)
      const state = await readUpgradeState(chain, market.factory, market)
      const proxy = resolveProxy(target, market, state.parts, 'confirm')
      const now = state.served(target)
      const earlier = await call.tenant.read((sql) =>
        listServed(sql, market.chainId, market.factory, targets[target].servedAs),
      )
      const served = [...(now ? [now] : []), ...earlier.map(({ implementation }) => implementation)]
      const intent = { chain, pair: upgradeCalls[target], target: proxy, kind: targets[target].kind }
      const { effect, transaction, verifiedBy } = await intents.confirm(call.tenant, intent, { served }, txHash as Hex)
      const data = {
        confirmed: true as const,
        target,
        proxy,
        txHash: transaction.hash,
        implementation: String(effect.implementation),
        signer: transaction.from.toLowerCase(),
        ...(verifiedBy ? { verifiedBy } : {}),
      }
      return { data, block: transaction.block }
    },
  }
}

export type Upgrades = ReturnType<typeof createUpgrades>
