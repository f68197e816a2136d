import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '@tallystick/testkit'
import type { Write } from './ledger.ts'

export interface Answer {
  readonly status: number
  readonly text: string
  readonly sha256: string
  readonly replayed: boolean
}

const REQUEST_TIMEOUT_MS = 15_000
const GIVE_UP_MS = 90_000

async function send(baseUrl: string, apiKey: string, write: Write): Promise<Answer> {
  const response = await fetch(`${baseUrl}${write.path}`, {
    method: write.method,
    headers: {
      'x-api-key': apiKey,
      'idempotency-key': write.idempotencyKey,
      ...(write.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(write.body === undefined ? {} : { body: JSON.stringify(write.body) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    replayed: response.headers.get('idempotent-replay') === 'true',
  }
}

/** Repeats the same request with the same key, at either process, until it gets an answer that is meant to last. */
export async function sendUntilAnswered(
  apiUrls: readonly string[],
  apiKey: string,
  write: Write,
  random: SeededRandom,
): Promise<{ answer: Answer; attempts: number }> {
  const deadline = Date.now() + GIVE_UP_MS
  for (let attempts = 1; ; attempts++) {
    let last: unknown
    try {
      const answer = await send(random.pick(apiUrls), apiKey, write)
      const passing = answer.status >= 500 || answer.status === 429 || answer.text.includes('IDEMPOTENCY_IN_FLIGHT')
      if (!passing) return { answer, attempts }
      last = answer.text
    } catch (error) {
      // Killed in the middle, or not up yet: whether the write happened is unknown, which is the point.
      last = error
    }
    if (Date.now() > deadline) throw new Error(`${write.method} ${write.path} was never acknowledged: ${String(last)}`)
    await sleep(random.integer(10, 60))
  }
}
