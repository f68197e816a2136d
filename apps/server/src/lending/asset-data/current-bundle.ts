import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ImportRow } from '../../tokens/index.ts'
import { type SealedBundle, sealBundle } from './bundle.rules.ts'

/** The choices of a market that enter its bundle. */
interface Choices {
  readonly chainId: number
  readonly factory: Address
  readonly collateralToken: Address
  readonly borrowAsset: Address | null
  readonly collateralMode: 'FREEZE' | 'CUSTODY'
  readonly priceSource: 'NAV' | 'MARKET'
}

/** The refusal of a token without a profile: an asset that nobody described cannot be attested. */
export function profileRequired(tokenAddress: Address, imported: boolean): AppError {
  const editProfile = imported ? `/external-tokens/api/${tokenAddress}/profile` : null
  const details = { field: 'profile', tokenAddress, imported, editProfile }
  const detail = imported
    ? {}
    : { detail: 'Your instance has no active import of the collateral token: import it first.' }
  return new AppError('TOKEN_PROFILE_REQUIRED', { ...detail, extra: { details } })
}

/** The bundle that a token and its profile produce now, or the refusal that a build of it would get. */
export function currentBundle(token: ImportRow | undefined, choices: Choices): SealedBundle | AppError {
  const { chainId, factory, collateralToken, borrowAsset, collateralMode, priceSource } = choices
  // Which commodity it is concerns order books.
  const { commodity: _, ...profile } = token?.profile ?? {}
  if (!token || Object.keys(profile).length === 0) return profileRequired(collateralToken, token !== undefined)
  if (!borrowAsset)
    return new AppError('MARKET_STATE_UNAVAILABLE', {
      detail: 'The market does not tell its settlement asset. Try again.',
    })
  const sealed = sealBundle({
    chainId,
    factory,
    borrowAsset,
    collateralMode,
    priceSource,
    token: {
      tokenAddress: collateralToken,
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      framework: token.framework,
      assetType: token.assetType,
      totalSupply: formatUnits(token.totalSupplyRaw, token.decimals),
    },
    profile,
  })
  return 'refused' in sealed ? new AppError('INVALID_ASSET_DATA', { detail: sealed.refused }) : sealed
}

export function requireBundle(current: SealedBundle | AppError): SealedBundle {
  if (current instanceof AppError) throw current
  return current
}
