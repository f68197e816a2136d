import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'

export type HookKind = BodyOf<typeof lendingOperations.createHook>['kind']

/** A health factor has the decimals of the contracts. */
const HEALTH_DECIMALS = 18
const HIGHEST_HEALTH = 1_000n * 10n ** 18n

const limitOf = {
  HEALTH_BELOW: 'threshold',
  DUE_WITHIN: 'seconds',
  PRICE_OLDER_THAN: 'seconds',
  LIEN_SHORTFALL: null,
  LOAN_SEIZED: null,
  FACT_ORPHANED: null,
} as const satisfies Record<HookKind, 'threshold' | 'seconds' | null>

export interface LimitRequest {
  readonly kind: HookKind
  readonly threshold?: string | undefined
  readonly seconds?: number | undefined
}

function healthOf(text: string): bigint | null {
  const value = parseUnits(text, HEALTH_DECIMALS)
  return value !== null && value > 0n && value <= HIGHEST_HEALTH ? value : null
}

/** The limit of a rule as it is kept: a health factor with 18 decimals, or seconds; null where its kind has none. */
export function limitFrom(request: LimitRequest): {
  limit: bigint | null
  faults: { field: string; message: string }[]
} {
  const wanted = limitOf[request.kind]
  const faults: { field: string; message: string }[] = []
  for (const field of ['threshold', 'seconds'] as const) {
    if (field === wanted && request[field] === undefined)
      faults.push({ field, message: `is required for ${request.kind}` })
    if (field !== wanted && request[field] !== undefined)
      faults.push({ field, message: `means nothing for ${request.kind}` })
  }
  const health = wanted === 'threshold' && request.threshold !== undefined ? healthOf(request.threshold) : null
  if (wanted === 'threshold' && request.threshold !== undefined && health === null)
    faults.push({ field: 'threshold', message: 'must be a decimal above 0 and up to 1000, with at most 18 decimals' })
  return { limit: wanted === 'seconds' ? BigInt(request.seconds ?? 0) : health, faults }
}

/** The same as the interface shows it. */
export function shownLimit(kind: HookKind, limit: bigint | null): { threshold: string | null; seconds: number | null } {
  if (limit === null) return { threshold: null, seconds: null }
  return limitOf[kind] === 'threshold'
    ? { threshold: formatUnits(limit, HEALTH_DECIMALS), seconds: null }
    : { threshold: null, seconds: Number(limit) }
}
