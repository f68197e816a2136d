import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export const setAllowExtensionCall = contractCall<{ allowed: boolean }, null>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setAllowExtension',
  eventName: 'AllowExtensionUpdated',
  args: ({ allowed }) => [allowed],
  isFor: () => true,
})
