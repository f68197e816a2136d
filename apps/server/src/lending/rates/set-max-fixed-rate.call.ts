import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export const setMaxFixedRateCall = contractCall<{ maxFixedBps: number }, null>({
  kind: 'rateModel',
  abi: abis.rateModel,
  functionName: 'setMaxFixedRate',
  eventName: 'MaxFixedRateSet',
  args: ({ maxFixedBps }) => [BigInt(maxFixedBps)],
  isFor: () => true,
})
