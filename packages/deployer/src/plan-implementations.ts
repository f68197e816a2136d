import {
  insuranceFundAbi,
  insuranceFundBytecode,
  interestRateModelAbi,
  interestRateModelBytecode,
  lendingMarketAbi,
  liquidationRouterAbi,
  liquidationRouterBytecode,
} from '@tallystick/abi'
import { type Address, encodeDeployData, isAddressEqual, zeroAddress } from 'viem'
import { implementationNames, serveStep } from './implementations.ts'
import { type ImplementationKind, type ImplementationPlan, implementationKinds, PlanError, type Step } from './plan.ts'
import { type Creations, planCreations } from './plan-creations.ts'
import { marketCode } from './sources.ts'

export interface ImplementationRequest {
  readonly factory: Address
  /** Where the infrastructure fee of every market goes. */
  readonly platformWallet: Address
}

export function createImplementations(
  { create, linked }: Creations,
  { factory, platformWallet }: ImplementationRequest,
): Record<ImplementationKind, Address> {
  if (isAddressEqual(platformWallet, zeroAddress)) throw new PlanError('The infrastructure fee needs a wallet.')
  const bytecode = linked(marketCode)
  return {
    market: create(
      implementationNames.market,
      encodeDeployData({ abi: lendingMarketAbi, bytecode, args: [factory, platformWallet] }),
    ),
    rateModel: create(
      implementationNames.rateModel,
      encodeDeployData({ abi: interestRateModelAbi, bytecode: interestRateModelBytecode, args: [factory] }),
    ),
    insuranceFund: create(
      implementationNames.insuranceFund,
      encodeDeployData({ abi: insuranceFundAbi, bytecode: insuranceFundBytecode, args: [factory] }),
    ),
    router: create(
      implementationNames.router,
      encodeDeployData({ abi: liquidationRouterAbi, bytecode: liquidationRouterBytecode, args: [factory] }),
    ),
  }
}

export const serveAll = (factory: Address, implementations: Readonly<Record<ImplementationKind, Address>>): Step[] =>
  implementationKinds.map((kind) => serveStep(factory, kind, implementations[kind]))

/** The implementations of this release for a factory of an earlier one. */
export function planImplementations(request: ImplementationRequest): ImplementationPlan {
  const creations = planCreations()
  const implementations = createImplementations(creations, request)
  const steps = [...creations.steps, ...serveAll(request.factory, implementations)]
  return { steps, implementations, contracts: creations.contracts }
}
