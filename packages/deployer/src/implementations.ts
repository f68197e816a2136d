import { type Address, encodeFunctionData, type Hex, parseAbi, stringToHex } from 'viem'
import type { ServedKind, Step } from './plan.ts'

/** What the factories of lending and of stocks have in common. */
export const servingAbi = parseAbi([
  'function setImplementation(bytes32 kind, address implementation)',
  'function servedImplementation(bytes32 kind) view returns (address)',
])

/** As the factory stores it. */
export const kindId = (kind: ServedKind): Hex => stringToHex(kind, { size: 32 })

/** The names that implementations go by, as contracts of a plan. */
export const implementationNames: Readonly<Record<ServedKind, string>> = {
  market: 'LendingMarketImplementation',
  rateModel: 'InterestRateModelImplementation',
  insuranceFund: 'InsuranceFundImplementation',
  router: 'LiquidationRouterImplementation',
  stockToken: 'StockTokenImplementation',
  complianceModule: 'ComplianceModuleImplementation',
}

/** The owner's call that makes a factory hand out an implementation. */
export function serveStep(factory: Address, kind: ServedKind, implementation: Address): Step {
  return {
    name: `serve ${kind}`,
    to: factory,
    data: encodeFunctionData({
      abi: servingAbi,
      functionName: 'setImplementation',
      args: [kindId(kind), implementation],
    }),
    creates: null,
    serves: { kind, implementation },
    signer: 'owner',
    description: `Let the factory ${factory} serve ${implementation} as its ${kind}`,
  }
}
