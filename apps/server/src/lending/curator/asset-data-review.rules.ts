import { type Address, type Hex, zeroHash } from 'viem'
import { orNull } from './factory-entry.rules.ts'
import type { TokenName } from './token-name.rules.ts'

/** The struct as it is decoded. */
export interface Attestation {
  readonly attested: Hex
  readonly acknowledged: Hex
  readonly attestor: Address
  readonly attestedAt: number
  readonly acknowledgedAt: number
  readonly version: number
}

export const hashOrNull = (hash: Hex): Hex | null => (hash === zeroHash ? null : hash)
export const isoOrNull = (seconds: number): string | null =>
  seconds === 0 ? null : new Date(seconds * 1000).toISOString()

function statusOf({ attested, acknowledged }: Attestation) {
  if (attested === zeroHash) return 'NONE' as const
  if (acknowledged === zeroHash) return 'ATTESTED' as const
  return attested === acknowledged ? ('ACKNOWLEDGED' as const) : ('DIVERGED' as const)
}

export function shownAttestation(data: Attestation, schemaVersion: string | null) {
  return {
    status: statusOf(data),
    attested: hashOrNull(data.attested),
    acknowledged: hashOrNull(data.acknowledged),
    version: data.version,
    attestor: orNull(data.attestor),
    attestedAt: isoOrNull(data.attestedAt),
    acknowledgedAt: isoOrNull(data.acknowledgedAt),
    diverged: data.attested !== data.acknowledged,
    schemaVersion,
    bundleAvailable: schemaVersion !== null,
  }
}

/** The members of a bundle that the chain can contradict. */
interface Attested {
  readonly market: { readonly borrowAsset: string; readonly collateralMode: string; readonly priceSource: string }
  readonly token: {
    readonly tokenAddress: string
    readonly name?: string
    readonly symbol?: string
    readonly decimals: number
  }
}

interface OnChain {
  readonly borrowAsset: string
  readonly mode: string
  readonly priceSource: string
  readonly collateralToken: string
}

/** Where the attested bundle and the chain say different things. What the chain does not say contradicts nothing. */
export function disagreements({ market, token }: Attested, chain: OnChain, names: TokenName) {
  const pairs: [field: string, attested: string | number | undefined, onChain: string | number | null][] = [
    ['token.tokenAddress', token.tokenAddress, chain.collateralToken],
    ['token.name', token.name, names.name],
    ['token.symbol', token.symbol, names.symbol],
    ['token.decimals', token.decimals, names.decimals],
    ['market.borrowAsset', market.borrowAsset, chain.borrowAsset],
    ['market.collateralMode', market.collateralMode, chain.mode],
    ['market.priceSource', market.priceSource, chain.priceSource],
  ]
  return pairs
    .filter(([, attested, onChain]) => onChain !== null && String(attested ?? '') !== String(onChain))
    .map(([field, attested, onChain]) => ({
      field,
      values: { attested: String(attested ?? ''), onChain: String(onChain) },
    }))
}
