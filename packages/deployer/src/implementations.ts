import { lendingFactoryAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, type Hex, stringToHex } from 'viem'
import type { ImplementationKind, Step } from './plan.ts'

/** As the factory stores it. */
export const kindId = (kind: ImplementationKind): Hex => stringToHex(kind, { size: 32 })

/** The names that the four implementations go by, as contracts of a plan. */
export const implementationNames: Readonly<Record<ImplementationKind, string>> = {
  market: 'LendingMarketImplementation',
  rateModel: 'InterestRateModelImplementation',
  insuranceFund: 'InsuranceFundImplementation',
  router: 'LiquidationRouterImplementation',
}

/** The owner's call that makes a factory hand out an implementation. */
export function serveStep(factory: Address, kind: ImplementationKind, implementation: Address): Step {
  return {
    name: `serve ${kind}`,
    to: factory,
    data: encodeFunctionData({
      abi: lendingFactoryAbi,
      functionName: 'setImplementation',
      args: [kindId(kind), implementation],
    }),
    creates: null,
    serves: { kind, implementation },
    signer: 'owner',
    description: `Let the factory ${factory} serve ${implementation} as its ${kind}`,
  }
}
