import { contractCall, plainCall } from '../../platform/chain/contract-call.ts'
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

export const pauseCall = plainCall('market', abis.market, 'pause', 'Paused')
export const unpauseCall = plainCall('market', abis.market, 'unpause', 'Unpaused')
