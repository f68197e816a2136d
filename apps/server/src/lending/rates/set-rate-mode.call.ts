import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface RateModeArgs {
  readonly mode: 0 | 1 | 2
  readonly floorBps: number
  readonly capBps: number
  readonly fixedBps: number
}

export const setRateModeCall = contractCall<RateModeArgs, null>({
  kind: 'rateModel',
  abi: abis.rateModel,
  functionName: 'setRateMode',
  eventName: 'RateModeSet',
  args: ({ mode, floorBps, capBps, fixedBps }) => [mode, BigInt(floorBps), BigInt(capBps), BigInt(fixedBps)],
  isFor: () => true,
})
