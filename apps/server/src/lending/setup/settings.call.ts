import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import { asConfig, isSameConfig, type MarketConfig } from './market-config.rules.ts'

/** A configuration that is not named is not compared. */
export const setConfigCall = contractCall<MarketConfig, { readonly config?: MarketConfig }>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setConfig',
  eventName: 'ConfigUpdated',
  args: (config) => [config],
  isFor: (effect, { config }) => config === undefined || isSameConfig(asConfig(effect), config),
})

const switchCall = (functionName: 'pause' | 'unpause', eventName: 'Paused' | 'Unpaused') =>
  contractCall<null, null>({
    kind: 'market',
    abi: abis.market,
    functionName,
    eventName,
    args: () => [],
    isFor: () => true,
  })

export const pauseCall = switchCall('pause', 'Paused')
export const unpauseCall = switchCall('unpause', 'Unpaused')
