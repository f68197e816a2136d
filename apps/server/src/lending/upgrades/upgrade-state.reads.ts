import { type Abi, type Address, parseAbi } from 'viem'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { targets, type UpgradeTarget } from './targets.rules.ts'

/** Views that only markets of the first generation answer. */
const olderAbi = parseAbi([
  'function operatorShareBps() view returns (uint256)',
  'function identityRegistry() view returns (address)',
])

/** What the factory knows: is the market its own, who lends, and what it serves for each proxy. */
export function factoryReads(factory: Address, market: Address) {
  const served = (target: UpgradeTarget) =>
    contractRead(factory, abis.factory, 'servedImplementation', [targets[target].servedAs])
  return [
    contractRead(factory, abis.factory, 'isMarket', [market]),
    contractRead(factory, abis.factory, 'deployment', [market]),
    served('market'),
    served('rateModel'),
    served('router'),
    served('insuranceFund'),
  ] as const
}

/** What the market says of itself, of whichever generation it is. */
export function marketReads({ address }: Market) {
  return [
    contractRead(address, abis.market, 'parts', []),
    contractRead(address, abis.market, 'pool', []),
    contractRead(address, abis.market, 'vaults', []),
    contractRead(address, abis.market, 'version', []),
    contractRead(address, olderAbi, 'operatorShareBps', []),
    contractRead(address, olderAbi, 'identityRegistry', []),
    contractRead(address, abis.market, 'isInstrumented', []),
    contractRead(address, abis.market, 'stampsLoanTerms', []),
  ] as const
}

/** Who owns a satellite, and who is to. */
export function ownerReads(satellite: Address) {
  return [
    contractRead(satellite, abis.rateModel, 'owner', []),
    contractRead(satellite, abis.rateModel, 'pendingOwner', []),
  ] as const
}

export const versionRead = (address: Address) => contractRead(address, abis.market, 'version', [])

/** Does the implementation claim each capability of its target? */
export function capabilityReads(target: UpgradeTarget, implementation: Address): ContractRead<boolean>[] {
  return targets[target].capabilities.map(({ view }) => {
    const abi = [
      { type: 'function', name: view, inputs: [], outputs: [{ type: 'bool' }], stateMutability: 'pure' },
    ] as const
    return contractRead(implementation, abi as Abi, view, []) as ContractRead<boolean>
  })
}
