import { type InvestorType, investorTypes } from '@tallystick/wire'
import { type Address, type Hex, keccak256, toBytes, zeroHash } from 'viem'
import type { AppCode } from '../../platform/app-error.ts'
import { canonicalJsonOf } from '../../platform/canonical-json.rules.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import { type Country, countryOf } from './countries.rules.ts'

/** What a caller says about an investor. */
export interface InvestorRequest {
  readonly country: string | number
  readonly investorType?: string | undefined
  readonly softExpiryDays?: number | undefined
  readonly hardExpiryDays?: number | undefined
  readonly kycHash?: string | undefined
  readonly kycData?: object | undefined
}

/** What the registry is told. */
export interface InvestorInput {
  readonly country: Country
  readonly investorType: number
  readonly softExpiry: number
  readonly hardExpiry: number
  readonly kycHash: Hex
}

export interface InputFault {
  readonly code: AppCode
  readonly field: string
  readonly message: string
}

const DAY = 86_400
const LONGEST_DAYS = 36_500
const hash = /^0x[0-9a-fA-F]{64}$/

/** As the contract counts them; null: no such type. A wallet is never verified as nothing. */
export function investorNumber(text: string | undefined): number | null {
  const index = investorTypes.indexOf((text ?? 'RETAIL').toUpperCase() as InvestorType)
  return index > 0 ? index : null
}

const areDays = (days: number | undefined) => days === undefined || (days >= 0 && days <= LONGEST_DAYS)

function hashOf(request: InvestorRequest, wallet: Address, country: Country, at: Date): Hex | null {
  if (request.kycHash !== undefined)
    return hash.test(request.kycHash) && request.kycHash !== zeroHash ? loweredHex(request.kycHash) : null
  const seed = request.kycData ?? { country: country.alpha3, time: at.toISOString(), wallet }
  return keccak256(toBytes(canonicalJsonOf(seed)))
}

/** `now` is the chain's clock, from which expiries run; `at` only makes the hash of nothing in particular unique. */
export function readInvestor(
  request: InvestorRequest,
  wallet: Address,
  { now, at }: { now: number; at: Date },
): InvestorInput | InputFault {
  const country = countryOf(request.country)
  if (!country) return { code: 'INVALID_COUNTRY', field: 'country', message: 'is no country of ISO 3166-1' }
  const investorType = investorNumber(request.investorType)
  if (investorType === null)
    return { code: 'INVALID_INVESTOR_TYPE', field: 'investorType', message: 'names no investor type' }
  const { softExpiryDays: soft, hardExpiryDays: hard } = request
  if (!areDays(soft) || !areDays(hard))
    return { code: 'INVALID_EXPIRY', field: 'softExpiryDays', message: 'must be 0 to 36500 days, as hardExpiryDays' }
  if (soft && hard && soft >= hard)
    return { code: 'INVALID_EXPIRY', field: 'softExpiryDays', message: 'must end before hardExpiryDays' }
  const kycHash = hashOf(request, wallet, country, at)
  if (!kycHash) return { code: 'INVALID_HASH', field: 'kycHash', message: 'must be 0x and 64 hex digits, and not zero' }
  const from = (days: number | undefined) => (days ? now + days * DAY : 0)
  return { country, investorType, softExpiry: from(soft), hardExpiry: from(hard), kycHash }
}

export const isFault = (read: InvestorInput | InputFault): read is InputFault => 'code' in read
