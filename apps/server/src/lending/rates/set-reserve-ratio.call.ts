import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export const setReserveRatioCall = contractCall<{ reserveRatioBps: number }, null>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setReserveRatio',
  eventName: 'ReserveRatioUpdated',
  args: ({ reserveRatioBps }) => [BigInt(reserveRatioBps)],
  isFor: () => true,
})
