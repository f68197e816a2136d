import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

export const configRead = ({ address }: Market) => contractRead(address, abis.market, 'config', [])

/** What decides whether a new configuration is acceptable, and who signs it. */
export const configReads = (market: Market) => ({
  config: configRead(market),
  terms: contractRead(market.address, abis.market, 'termConfig', []),
  parts: contractRead(market.address, abis.market, 'parts', []),
  deployment: contractRead(market.factory, abis.factory, 'deployment', [market.address]),
})

export const pauseReads = (market: Market) => ({
  isPaused: contractRead(market.address, abis.market, 'isPaused', []),
  deployment: contractRead(market.factory, abis.factory, 'deployment', [market.address]),
})
