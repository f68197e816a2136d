import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { parseUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { type Attestation, isoOrNull } from './asset-data-review.rules.ts'
import { type Optionals, optionalFields, type Parties, partyFields } from './curator-terms.rules.ts'

export type AcceptBody = BodyOf<typeof lendingOperations.acceptCuratorRole>

const MAX_COMMITMENT = 2n ** 256n - 1n

function requireParty(field: string, text: string): Address {
  const address = parseAddress(text)
  if (!address || address === zeroAddress)
    throw fieldError('INVALID_CURATOR_TERMS', [
      { field, message: 'is not an address, has a wrong checksum, or is the zero address' },
    ])
  return address
}

/** The addresses of the terms: seven that must be named, and four that may. */
export function requireParties(body: AcceptBody): { parties: Parties; optionals: Optionals } {
  const parties = partyFields.map((field) => [field, requireParty(field, body[field])])
  const optionals = optionalFields.map((field) => {
    const text = body[field]
    return [field, text === undefined ? null : requireParty(field, text)]
  })
  return { parties: Object.fromEntries(parties) as Parties, optionals: Object.fromEntries(optionals) as Optionals }
}

/** Declaratory, but never rounded and never more than the contract can hold. */
export function requireCommitment(text: string | undefined, decimals: number): bigint {
  const amount = text === undefined ? 0n : parseUnits(text, decimals)
  if (amount === null || amount > MAX_COMMITMENT) throw new AppError('INVALID_LIQUIDITY_COMMITMENT')
  return amount
}

/** What the lender acknowledges: the hash that stands, or nothing because it says so or because nothing stands. */
export function requireAcknowledgement(body: AcceptBody, standing: Attestation): Hex | null {
  const { attested, version, attestedAt } = standing
  if (body.assetDataHash === undefined) {
    if (attested === zeroHash || body.acknowledgeAssetData === false) return null
    throw new AppError('ASSET_DATA_ACKNOWLEDGEMENT_REQUIRED', {
      extra: { details: { standing: attested, standingVersion: version } },
    })
  }
  const reviewed = body.assetDataHash.toLowerCase() as Hex
  if (reviewed === zeroHash) throw new AppError('INVALID_CONTENT_HASH')
  if (body.acknowledgeAssetData === false)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'acknowledgeAssetData', message: 'says the opposite of assetDataHash' },
    ])
  if (attested === zeroHash) throw new AppError('ASSET_DATA_NONE')
  if (reviewed !== attested)
    throw new AppError('ASSET_DATA_STALE', {
      extra: {
        details: { reviewed, standing: attested, standingVersion: version, attestedAt: isoOrNull(attestedAt) ?? '' },
      },
    })
  return attested
}
