import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

export function operatorReads(market: Market) {
  const { address } = market
  return {
    deployment: contractRead(market.factory, abis.factory, 'deployment', [address]),
    pool: contractRead(address, abis.market, 'pool', []),
    parts: contractRead(address, abis.market, 'parts', []),
    vaults: contractRead(address, abis.market, 'vaults', []),
    platformWallet: contractRead(address, abis.market, 'platformWallet', []),
    fundAccepts: contractRead(market.insuranceFund, abis.fund, 'isAuthorized', [address]),
  }
}

export type OperatorResults = NamedResults<ReturnType<typeof operatorReads>>
