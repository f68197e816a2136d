import { contractCall } from '../platform/chain/contract-call.ts'
import { abis } from './contracts.ts'

type Nothing = Record<string, never>

/** A call of a market that takes nothing, and whose event alone proves it. */
export const plainMarketCall = (functionName: string, eventName: string) =>
  contractCall<Nothing, Nothing>({
    kind: 'market',
    abi: abis.market,
    functionName,
    eventName,
    args: () => [],
    isFor: () => true,
  })
