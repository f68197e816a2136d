import type { Address } from 'viem'
import { contractCall, plainCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export const sweepInfrastructureCall = plainCall(
  'market',
  abis.market,
  'sweepInfrastructureFees',
  'InfrastructureFeePaid',
)
export const sweepOperatorCall = plainCall('market', abis.market, 'sweepOperatorFees', 'OperatorFeePaid')
export const sweepProtocolCall = plainCall('market', abis.market, 'sweepProtocolFees', 'ProtocolFeePaid')

/** Which provider is meant; not named: whichever was paid. */
export interface ExpectedProvider {
  readonly provider?: Address
}

export const sweepDistributorCall = contractCall<{ provider: Address }, ExpectedProvider>({
  kind: 'market',
  abi: abis.market,
  functionName: 'sweepDistributorFees',
  eventName: 'DistributorFeePaid',
  args: ({ provider }) => [provider],
  isFor: (effect, { provider }) => provider === undefined || effect.provider === provider,
})
