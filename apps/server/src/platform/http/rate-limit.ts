import { isIPv6 } from 'node:net'
import type { Counters } from './limit-store.ts'

const WINDOW_SECONDS = 60

export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>
  /** Null while it is within its limit. */
  readonly retryAfterSeconds: number | null
}

/** The current minute of the clock, which is the same for all replicas. */
function minuteOf(now: Date): { minute: number; secondsLeft: number } {
  const seconds = now.getTime() / 1000
  const minute = Math.floor(seconds / WINDOW_SECONDS)
  return { minute, secondsLeft: Math.max(1, Math.ceil((minute + 1) * WINDOW_SECONDS - seconds)) }
}

function verdict(policy: string, used: number, limit: number, secondsLeft: number): RateVerdict {
  return {
    headers: {
      'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
      ratelimit: `"${policy}";r=${Math.max(0, limit - used)};t=${secondsLeft}`,
    },
    retryAfterSeconds: used > limit ? secondsLeft : null,
  }
}

/** Counts one request of a key. */
export async function countRequest(counters: Counters, keyId: string, limit: number, now: Date): Promise<RateVerdict> {
  const { minute, secondsLeft } = minuteOf(now)
  return verdict('key', await counters.add(`key:${keyId}:${minute}`), limit, secondsLeft)
}

/** Whoever has one address of IPv6 has 2^64 of them. */
function placeOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')))
  const missing = address.includes('::') ? 8 - (before?.length ?? 0) - (after?.length ?? 0) : 0
  return [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])].slice(0, 4).join(':')
}

const failuresFrom = (address: string, minute: number) => `address:${placeOf(address)}:${minute}`

/**
 * Whether keys from an address are looked at. Asked before, and counted after: whoever comes with a good key that is new to this process is
 * not counted for a moment, so that a crowd of them cannot shut itself out.
 */
export async function judgeAddress(
  counters: Counters,
  address: string,
  limit: number,
  now: Date,
): Promise<RateVerdict> {
  const { minute, secondsLeft } = minuteOf(now)
  // The one that asks would be one more.
  return verdict('address', (await counters.get(failuresFrom(address, minute))) + 1, limit, secondsLeft)
}

/** Counts a key that was not valid. */
export async function countFailure(counters: Counters, address: string, now: Date): Promise<void> {
  await counters.add(failuresFrom(address, minuteOf(now).minute))
}

/** Counts whoever comes to sign in. */
export async function countVisit(counters: Counters, address: string, limit: number, now: Date): Promise<RateVerdict> {
  const { minute, secondsLeft } = minuteOf(now)
  return verdict('address', await counters.add(`visit:${placeOf(address)}:${minute}`), limit, secondsLeft)
}
