import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import { plainMarketCall } from '../plain-call.ts'

export const sweepInfrastructureCall = plainMarketCall('sweepInfrastructureFees', 'InfrastructureFeePaid')
export const sweepOperatorCall = plainMarketCall('sweepOperatorFees', 'OperatorFeePaid')
export const sweepProtocolCall = plainMarketCall('sweepProtocolFees', 'ProtocolFeePaid')

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
