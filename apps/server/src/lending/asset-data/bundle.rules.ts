import type { AssetType, Framework } from '@tallystick/wire'
import { BUNDLE_SCHEMA_VERSION } from '@tallystick/wire'
import { type Address, type Hex, keccak256, toBytes } from 'viem'
import { canonicalJsonOf } from '../../platform/canonical-json.rules.ts'

/** The facts and words that enter a bundle. */
export interface BundleSource {
  readonly chainId: number
  readonly factory: Address
  readonly borrowAsset: Address
  readonly collateralMode: 'FREEZE' | 'CUSTODY'
  readonly priceSource: 'NAV' | 'MARKET'
  readonly token: {
    readonly tokenAddress: string
    readonly name: string
    readonly symbol: string
    readonly decimals: number
    readonly framework: Framework
    readonly assetType: AssetType
    readonly totalSupply: string
  }
  readonly profile: Readonly<Record<string, unknown>>
}

export interface AssetBundle {
  readonly schemaVersion: typeof BUNDLE_SCHEMA_VERSION
  readonly market: Pick<BundleSource, 'chainId' | 'factory' | 'borrowAsset' | 'collateralMode' | 'priceSource'> & {
    readonly family: 'FUNGIBLE'
  }
  readonly token: BundleSource['token']
  readonly profile: Readonly<Record<string, unknown>>
}

export interface SealedBundle {
  readonly bundle: AssetBundle
  readonly canonicalJson: string
  readonly contentHash: Hex
}

const MAX_TEXT = 2_048

function faultOf(text: string): string | null {
  if (/\p{Cs}/u.test(text)) return 'holds broken Unicode, which has no bytes to hash'
  if (/\p{Cc}/u.test(text)) return 'holds control characters, which nobody would see when reading it'
  if (text.length > MAX_TEXT) return `is longer than ${MAX_TEXT} characters`
  return null
}

/** The first member that cannot enter, with the reason. */
function refusedMember(value: unknown, path: string): string | null {
  if (typeof value === 'string') {
    const fault = faultOf(value)
    return fault && `${path} ${fault}.`
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const refused = refusedMember(inner, path ? `${path}.${name}` : name)
    if (refused) return refused
  }
  return null
}

function withoutEmpty<T extends object>(members: T): T {
  const said = Object.entries(members).filter(([, value]) => value !== '' && value !== null && value !== undefined)
  return Object.fromEntries(said) as T
}

/** keccak256 of the exact UTF-8 bytes. */
export const hashOf = (canonicalJson: string): Hex => keccak256(toBytes(canonicalJson))

/** The bundle that the profile of a token now produces, or the member that cannot enter it. */
export function sealBundle(source: BundleSource): SealedBundle | { readonly refused: string } {
  const { chainId, factory, borrowAsset, collateralMode, priceSource } = source
  const bundle: AssetBundle = {
    schemaVersion: BUNDLE_SCHEMA_VERSION,
    market: { chainId, factory, family: 'FUNGIBLE', borrowAsset, collateralMode, priceSource },
    token: withoutEmpty(source.token),
    profile: withoutEmpty(source.profile),
  }
  const refused = refusedMember(bundle, '')
  if (refused) return { refused }
  const canonicalJson = canonicalJsonOf(bundle)
  return { bundle, canonicalJson, contentHash: hashOf(canonicalJson) }
}
