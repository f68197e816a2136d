/** How often and how long to wait. Writes carry an Idempotency-Key, so a repeat never does anything twice. */
export interface RetryPolicy {
  /** Repeats after the first try. */
  readonly retries: number
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  /** A service that asks for a longer wait than this is not waited for. */
  readonly longestRetryAfterMs: number
}

export const defaultRetry: RetryPolicy = {
  retries: 4,
  firstDelayMs: 200,
  longestDelayMs: 5_000,
  longestRetryAfterMs: 30_000,
}

const PASSING_STATUSES = [429, 502, 503, 504]

/** What one try came to: an answer with its status and Retry-After, or none at all. */
export interface Failure {
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
}

/** Doubles with every try; half of it is chance, so that clients that failed together do not come back together. */
export function backoffMs(attempt: number, policy: RetryPolicy, random: () => number): number {
  const full = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** attempt)
  return full / 2 + (full / 2) * random()
}

/** How long to wait before the next try; null: it would not help, or has been tried enough. */
export function waitMs(failure: Failure, attempt: number, policy: RetryPolicy, random: () => number): number | null {
  if (attempt >= policy.retries) return null
  const { status, retryAfterSeconds } = failure
  const backoff = backoffMs(attempt, policy, random)
  // The service says Retry-After exactly where a repeat may succeed, whatever the status.
  if (retryAfterSeconds !== undefined) {
    const asked = retryAfterSeconds * 1_000
    return asked > policy.longestRetryAfterMs ? null : Math.max(asked, backoff)
  }
  return status === undefined || PASSING_STATUSES.includes(status) ? backoff : null
}
