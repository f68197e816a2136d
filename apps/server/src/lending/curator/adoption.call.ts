import type { Address, Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import type { CuratorTerms } from './curator-terms.rules.ts'

interface OfMarket {
  readonly market: Address
}

export const acceptCuratorRoleCall = contractCall<OfMarket & { terms: CuratorTerms; salt: Hex }, OfMarket>({
  kind: 'factory',
  abi: abis.factory,
  functionName: 'acceptCuratorRole',
  eventName: 'CuratorAccepted',
  args: ({ market, terms, salt }) => [market, terms, salt],
  isFor: (effect, { market }) => effect.market === market,
})

/** Has no confirmation of its own: the adoption that follows proves it. */
export const commitCuratorClaimCall = contractCall<OfMarket & { commitment: Hex }, OfMarket>({
  kind: 'factory',
  abi: abis.factory,
  functionName: 'commitCuratorClaim',
  eventName: 'CuratorClaimCommitted',
  args: ({ market, commitment }) => [market, commitment],
  isFor: (effect, { market }) => effect.market === market,
})
