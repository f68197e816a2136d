import { describe, expect, it } from 'vitest'
import { defaultRetry, waitMs } from './retry.ts'

const policy = { ...defaultRetry, retries: 3, firstDelayMs: 100, longestDelayMs: 250, longestRetryAfterMs: 2_000 }
const wait = (status: number | undefined, retryAfterSeconds?: number, attempt = 0) =>
  waitMs({ status, retryAfterSeconds }, attempt, policy, () => 1)

describe('waiting before another try', () => {
  it('doubles up to the longest delay, half of it by chance', () => {
    expect([0, 1, 2].map((attempt) => wait(503, undefined, attempt))).toEqual([100, 200, 250])
    expect(waitMs({ status: 503, retryAfterSeconds: undefined }, 0, policy, () => 0)).toBe(50)
  })

  it('tries again after a lost connection and a passing fault, and after nothing else', () => {
    expect([undefined, 429, 502, 503, 504].map((status) => wait(status))).toEqual([100, 100, 100, 100, 100])
    expect([400, 401, 404, 409, 500].map((status) => wait(status))).toEqual([null, null, null, null, null])
  })

  it('waits for as long as the service asks, whatever the status, but never too long', () => {
    expect(wait(409, 1)).toBe(1_000)
    expect(wait(404, 0)).toBe(100)
    expect(wait(429, 3)).toBeNull()
  })

  it('ends after so many tries', () => {
    expect(wait(503, undefined, 3)).toBeNull()
    expect(wait(503, 1, 3)).toBeNull()
  })
})
