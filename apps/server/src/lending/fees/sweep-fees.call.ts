import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

type NoArguments = Record<string, never>

const sweep = (functionName: string, eventName: string) =>
  contractCall<NoArguments, NoArguments>({
    kind: 'market',
    abi: abis.market,
    functionName,
    eventName,
    args: () => [],
    isFor: () => true,
  })

export const sweepInfrastructureCall = sweep('sweepInfrastructureFees', 'InfrastructureFeePaid')
export const sweepOperatorCall = sweep('sweepOperatorFees', 'OperatorFeePaid')
export const sweepProtocolCall = sweep('sweepProtocolFees', 'ProtocolFeePaid')

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
