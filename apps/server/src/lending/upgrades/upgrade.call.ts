import type { Abi, Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import { targets, type UpgradeTarget } from './targets.rules.ts'

interface ExpectedUpgrade {
  /** Implementations that the factory serves or served; a proxy of ours takes no other. */
  readonly served: readonly Address[]
}

function upgradeCall(target: UpgradeTarget) {
  const { kind } = targets[target]
  return contractCall<{ implementation: Address }, ExpectedUpgrade>({
    kind,
    abi: abis[kind] as Abi,
    functionName: 'upgradeToAndCall',
    eventName: 'Upgraded',
    args: ({ implementation }) => [implementation, '0x'],
    isFor: (effect, { served }) => served.includes(String(effect.implementation) as Address),
  })
}

export const upgradeCalls = {
  market: upgradeCall('market'),
  rateModel: upgradeCall('rateModel'),
  router: upgradeCall('router'),
  insuranceFund: upgradeCall('insuranceFund'),
} as const
