import {
  complianceModuleAbi,
  complianceModuleBytecode,
  identityRegistryAbi,
  identityRegistryBytecode,
  stockFactoryAbi,
  stockFactoryBytecode,
  stockTokenAbi,
} from '@tallystick/abi'
import { type Address, encodeDeployData, encodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { implementationNames, serveStep } from './implementations.ts'
import { type Plan, PlanError, type StockKind, type StockSuite, stockKinds } from './plan.ts'
import { type Creations, planCreations } from './plan-creations.ts'
import { stockTokenCode } from './sources.ts'

export interface StockRequest {
  /** Of the factory, and administrator of the identity registry: has to sign the steps of the owner. */
  readonly owner: Address
  /** Authorises upgrades of the identity registry. Default: the owner. */
  readonly legalOperator?: Address
}

function createStockImplementations({ create, linked }: Creations, factory: Address): Record<StockKind, Address> {
  return {
    stockToken: create(
      implementationNames.stockToken,
      encodeDeployData({ abi: stockTokenAbi, bytecode: linked(stockTokenCode), args: [factory] }),
    ),
    complianceModule: create(
      implementationNames.complianceModule,
      encodeDeployData({ abi: complianceModuleAbi, bytecode: complianceModuleBytecode, args: [factory] }),
    ),
  }
}

/** What this release puts behind the stocks of a factory that stands already. */
export function planStockImplementations(factory: Address): Pick<Plan, 'steps' | 'contracts'> {
  const creations = planCreations()
  createStockImplementations(creations, factory)
  return creations
}

/** One identity registry and one stock factory, each a proxy that is initialised in its own constructor. */
export function planStockSuite({ owner, legalOperator = owner }: StockRequest): Plan<StockSuite> {
  if (isAddressEqual(owner, zeroAddress)) throw new PlanError('A factory without an owner can never make a stock.')
  const creations = planCreations()
  const identityRegistryImplementation = creations.create('IdentityRegistryImplementation', identityRegistryBytecode)
  const identityRegistry = creations.proxy(
    'IdentityRegistry',
    identityRegistryImplementation,
    encodeFunctionData({ abi: identityRegistryAbi, functionName: 'initialize', args: [owner, legalOperator] }),
  )
  const stockFactoryImplementation = creations.create('StockFactoryImplementation', stockFactoryBytecode)
  const stockFactory = creations.proxy(
    'StockFactory',
    stockFactoryImplementation,
    encodeFunctionData({ abi: stockFactoryAbi, functionName: 'initialize', args: [owner] }),
  )
  const implementations = createStockImplementations(creations, stockFactory)
  return {
    steps: [...creations.steps, ...stockKinds.map((kind) => serveStep(stockFactory, kind, implementations[kind]))],
    suite: {
      identityRegistry,
      identityRegistryImplementation,
      stockFactory,
      stockFactoryImplementation,
      ...implementations,
    },
    contracts: creations.contracts,
  }
}
