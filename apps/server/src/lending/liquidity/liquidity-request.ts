import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Market } from '../market/market.store.ts'
import { optionalAddress } from '../request-fields.ts'
import type { ExpectedProvider } from './liquidity.call.ts'

export function requireProvider(text: string | undefined): Address {
  const provider = optionalAddress('provider', text)
  if (!provider) throw new AppError('PROVIDER_REQUIRED')
  return provider
}

/** Of a confirmation: whom the effect has to concern. */
export function expectedProvider(text: string | undefined): ExpectedProvider {
  const provider = optionalAddress('provider', text)
  return provider ? { provider } : {}
}

export const assetOf = (market: Market) => ({
  address: market.borrowAsset,
  symbol: market.borrowSymbol,
  decimals: market.borrowDecimals,
})
