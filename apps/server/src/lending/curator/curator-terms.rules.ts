import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import type { AppCode } from '../../platform/app-error.ts'
import type { PriceSource } from '../core/index.rules.ts'
import { realizationName, realizationNumber } from './factory-entry.rules.ts'

export type RealizationRequest = 'EXCHANGE_SALE' | 'ISSUER_REDEMPTION' | 'AUCTION'

/** What the lender of record signs, in the order of the contract's struct. */
export interface CuratorTerms {
  readonly admin: Address
  readonly issuer: Address
  readonly collateralAgent: Address
  readonly saleRecipient: Address
  readonly liquidationOperator: Address
  readonly oracleOwner: Address
  readonly priceSigner: Address
  readonly realizationMode: number
  readonly liquidityCommitment: bigint
  readonly maxFixedRateBps: number
  readonly borrowerRegistry: Address
  readonly providerRegistry: Address
  readonly liquidator: Address
  readonly vault: Address
  readonly assetDataHash: Hex
}

export const partyFields = [
  'admin',
  'issuer',
  'collateralAgent',
  'saleRecipient',
  'liquidationOperator',
  'oracleOwner',
  'priceSigner',
] as const
export const optionalFields = ['identityRegistry', 'providerRegistry', 'liquidator', 'vault'] as const

export type Parties = Record<(typeof partyFields)[number], Address>
export type Optionals = Record<(typeof optionalFields)[number], Address | null>

/** The code of a realization that does not go with the prices of the market; null: it does. */
export function realizationFault(request: RealizationRequest, priceSource: PriceSource): AppCode | null {
  if (request === 'EXCHANGE_SALE' && priceSource !== 'MARKET') return 'REALIZATION_BASIS_UNAVAILABLE'
  if (request === 'AUCTION' && priceSource === 'MARKET') return 'REALIZATION_MODE_UNAVAILABLE'
  return null
}

export interface TermsRequest {
  readonly parties: Parties
  readonly optionals: Optionals
  readonly realizationMode: RealizationRequest
  readonly liquidityCommitment: bigint
  readonly maxFixedRateBps: number
  readonly assetDataHash: Hex | null
  /** Only a nominee installs a register of borrowers, and only where there is none. */
  readonly installsRegister: boolean
}

export function curatorTerms(request: TermsRequest): CuratorTerms {
  const { parties, optionals } = request
  return {
    ...parties,
    realizationMode: realizationNumber(request.realizationMode),
    liquidityCommitment: request.liquidityCommitment,
    maxFixedRateBps: request.maxFixedRateBps,
    borrowerRegistry: (request.installsRegister ? optionals.identityRegistry : null) ?? zeroAddress,
    providerRegistry: optionals.providerRegistry ?? zeroAddress,
    liquidator: optionals.liquidator ?? zeroAddress,
    vault: optionals.vault ?? zeroAddress,
    assetDataHash: request.assetDataHash ?? zeroHash,
  }
}

export const shownTerms = (terms: CuratorTerms) => ({
  ...terms,
  realizationMode: realizationName(terms.realizationMode),
  liquidityCommitment: terms.liquidityCommitment.toString(),
})
