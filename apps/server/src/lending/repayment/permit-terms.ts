import { keccak256, toHex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import type { Market } from '../core/index.rules.ts'
import type { PermitResults } from './permit.reads.ts'
import { type PermitDomain, resolveDomain } from './permit.rules.ts'

/** Some tokens had permits before the standard, and of another form. */
const STANDARD = keccak256(toHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'))

/** How a payer's permits are signed. */
export interface PermitTerms {
  readonly domain: PermitDomain
  /** The next one. */
  readonly nonce: bigint
  /** What the market may take already. */
  readonly allowance: bigint
}

const known = <T>(result: ReadResult<T>): T | null => (result.ok ? result.value : null)

function domainOf(market: Market, { separator, name, version, described }: PermitResults): PermitDomain | null {
  if (!separator.ok) return null
  const [, ownName, ownVersion] = described.ok ? described.value : []
  return resolveDomain(market, {
    separator: separator.value,
    name: known(name),
    version: known(version),
    described: ownName === undefined || ownVersion === undefined ? null : { name: ownName, version: ownVersion },
  })
}

/** A token that does not tell the form of its permits has the standard one. */
const knowsPermits = ({ separator, nonce, form }: PermitResults): boolean =>
  separator.ok && nonce.ok && (!form.ok || form.value === STANDARD)

/** Can the payer sign a permit that we can check? */
export const isPermitSupported = (market: Market, results: PermitResults): boolean =>
  knowsPermits(results) && domainOf(market, results) !== null

export function requirePermitTerms(market: Market, results: PermitResults): PermitTerms {
  const { nonce, allowance } = results
  if (!nonce.ok || !knowsPermits(results)) throw new AppError('PERMIT_UNSUPPORTED')
  const domain = domainOf(market, results)
  if (!domain) throw new AppError('PERMIT_DOMAIN_UNRESOLVED')
  return { domain, nonce: nonce.value, allowance: known(allowance) ?? 0n }
}
