import { type Address, zeroAddress } from 'viem'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { findDeployedMarket, findFactory, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { feeModel, isImpactful, perimeter } from './fee-model.rules.ts'
import { targets, type UpgradeTarget } from './targets.rules.ts'
import { readUpgradeState, type UpgradeState } from './upgrade-state.service.ts'

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

export function createUpgrades({ chains }: LendingParts) {
  return {
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
  }
}

export type Upgrades = ReturnType<typeof createUpgrades>
