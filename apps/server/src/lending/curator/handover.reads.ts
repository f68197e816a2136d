import type { Address } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

export type HandoverMarket = Pick<Market, 'address' | 'factory' | 'oracle' | 'rateModel' | 'insuranceFund' | 'chainId'>

/** Who owns the three contracts that a market was born with. */
export function handoverReads(market: HandoverMarket) {
  const owner = (address: Address) => contractRead(address, abis.oracle, 'owner', [])
  const pendingOwner = (address: Address) => contractRead(address, abis.oracle, 'pendingOwner', [])
  const satellites = [market.oracle, market.rateModel, market.insuranceFund]
  return {
    owners: satellites.map(owner),
    pendingOwners: satellites.map(pendingOwner),
    deployed: contractRead(market.factory, abis.factory, 'deployment', [market.address]),
  }
}

export type HandoverResults = NamedResults<ReturnType<typeof handoverReads>>
