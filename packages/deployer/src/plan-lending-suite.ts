import { lendingFactoryAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { type Plan, PlanError } from './plan.ts'
import { planCreations } from './plan-creations.ts'
import { createImplementations, serveAll } from './plan-implementations.ts'
import { factoryCode, satelliteDeployerCode } from './sources.ts'

export interface LendingRequest {
  /** Of the factory: has to sign the steps of the owner. */
  readonly owner: Address
  /** Where the infrastructure fee of every market goes. */
  readonly platformWallet: Address
}

/** What contracts/src/lending/deploy/LendingDeployer.sol does, as single transactions at foreseeable addresses. */
export function planLendingSuite({ owner, platformWallet }: LendingRequest): Plan {
  if (isAddressEqual(owner, zeroAddress)) throw new PlanError('A factory without an owner can never serve a market.')
  const creations = planCreations()
  const satelliteDeployer = creations.create('SatelliteDeployer', creations.linked(satelliteDeployerCode))
  const factoryImplementation = creations.create('LendingFactoryImplementation', creations.linked(factoryCode))
  const initialization = encodeFunctionData({
    abi: lendingFactoryAbi,
    functionName: 'initialize',
    args: [owner, satelliteDeployer],
  })
  const factory = creations.proxy('LendingFactory', factoryImplementation, initialization)
  const implementations = createImplementations(creations, { factory, platformWallet })
  return {
    steps: [...creations.steps, ...serveAll(factory, implementations)],
    suite: { factory, factoryImplementation, satelliteDeployer, ...implementations },
    contracts: creations.contracts,
  }
}
