import { type Abi, type Address, encodeFunctionData, stringToHex, zeroAddress } from 'viem'
import { type Artifact, artifactOf, linked } from './artifacts.ts'
import type { Chain } from './chain.ts'
import type { Clock } from './clock.ts'

export interface Suite {
  factory: Address
  abis: Record<ContractName, Abi>
  /** Deploys any contract of the suite; its libraries are deployed with it, once. */
  create(name: string, args: readonly unknown[]): Promise<Address>
}

const contractNames = [
  'LendingFactory',
  'LendingMarket',
  'InterestRateModel',
  'InsuranceFund',
  'LiquidationRouter',
  'SecurityPriceOracle',
  'DutchAuctionVenue',
  'CustodyAdapter',
  'DemoCash',
] as const
export type ContractName = (typeof contractNames)[number]

/** The same steps in the same order as the suite's deployer in Solidity, which cannot be called from outside. */
export async function deploySuite(chain: Chain, clock: Clock, owner: Address, platform: Address): Promise<Suite> {
  const libraries = new Map<string, Address>()

  async function create(name: string, args: readonly unknown[], file?: string): Promise<Address> {
    const artifact: Artifact = artifactOf(name, file)
    for (const library of artifact.libraries) {
      if (!libraries.has(library.name)) libraries.set(library.name, await create(library.name, [], library.file))
    }
    const code = linked(artifact, (library) => libraries.get(library) ?? zeroAddress)
    return chain.deploy(owner, clock.tick(), code, artifact.abi, args)
  }

  const abis = Object.fromEntries(contractNames.map((name) => [name, artifactOf(name).abi])) as Suite['abis']
  const satellites = await create('SatelliteDeployer', [])
  const implementation = await create('LendingFactory', [])
  const initialize = encodeFunctionData({
    abi: abis.LendingFactory,
    functionName: 'initialize',
    args: [owner, satellites],
  })
  const factory = await create('ERC1967Proxy', [implementation, initialize])
  const served = {
    market: await create('LendingMarket', [factory, platform]),
    rateModel: await create('InterestRateModel', [factory]),
    insuranceFund: await create('InsuranceFund', [factory]),
    router: await create('LiquidationRouter', [factory]),
  }
  for (const [kind, address] of Object.entries(served)) {
    const args = [stringToHex(kind, { size: 32 }), address]
    await chain.send(owner, clock.tick(), {
      to: factory,
      abi: abis.LendingFactory,
      functionName: 'setImplementation',
      args,
    })
  }
  return { factory, abis, create }
}
