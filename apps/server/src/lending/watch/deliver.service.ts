import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { type OutgoingTargets, RefusedTargetError } from '../../platform/outgoing/outgoing-targets.ts'
import type { Random } from '../../platform/random.ts'
import { endWaiting } from './deliveries.store.ts'
import * as outbox from './outbox.store.ts'
import { nextAttempt } from './retry.rules.ts'
import { type SendOutcome, sendWebhook } from './send-webhook.ts'
import { signedHeaders } from './signature.rules.ts'

const TIMEOUT_MS = 15_000
/** Longer than any attempt takes, name look-up included: until then no other worker takes it over. */
const CLAIM_MS = 60_000
const AT_ONCE = 32
const LOG_KEPT_MS = 30 * 24 * 60 * 60 * 1000
const GONE = 410

export type AttemptStatus = outbox.AttemptResult['status']

export interface DeliveryParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly targets: OutgoingTargets
  readonly timeoutMs?: number
  readonly onAttempt?: (status: AttemptStatus) => void
  /** An attempt that could not be recorded: it is made again when its claim runs out. */
  readonly onError: (error: unknown) => void
}

/** The newest first: whoever looks at one signature only sees that of the secret in force. */
function secretsOf({ secret, previousSecret, previousSecretUntil }: outbox.ClaimedDelivery, now: Date): string[] {
  const isStanding = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now
  return isStanding ? [secret, previousSecret] : [secret]
}

/** Sends what waits in the outbox, each message at least once and until its receiver took it. */
export function createDelivery(parts: DeliveryParts) {
  const { database, clock, random, targets, timeoutMs = TIMEOUT_MS } = parts
  /** By the hook they speak to. */
  const running = new Map<string, Promise<void>>()

  /** The target is checked again at every attempt: what a name leads to may have changed since. */
  async function send(claimed: outbox.ClaimedDelivery): Promise<SendOutcome> {
    const { url, webhookId, body } = claimed
    try {
      const target = await targets.check(url)
      const now = clock.now()
      const headers = { 'user-agent': 'Tallystick', ...signedHeaders(secretsOf(claimed, now), webhookId, now, body) }
      return await sendWebhook(target, headers, body, timeoutMs)
    } catch (error) {
      if (!(error instanceof RefusedTargetError)) throw error
      return { responseCode: null, error: error.message }
    }
  }

  function judged({ responseCode }: SendOutcome, attempts: number, now: Date) {
    if (responseCode !== null && responseCode >= 200 && responseCode < 300)
      return { status: 'DELIVERED', dueAt: null } as const
    const chance = (random(1)[0] ?? 0) / 255
    const dueAt = responseCode === GONE ? null : nextAttempt(attempts, now, chance)
    return dueAt ? ({ status: 'RETRYING', dueAt } as const) : ({ status: 'FAILED', dueAt } as const)
  }

  async function attempt(claimed: outbox.ClaimedDelivery): Promise<void> {
    const started = performance.now()
    const outcome = await send(claimed)
    const durationMs = Math.round(performance.now() - started)
    const now = clock.now()
    const verdict = judged(outcome, claimed.attempts, now)
    await database.as('tally_operator', async (sql) => {
      // The hook before its messages, as everybody locks them.
      if (outcome.responseCode === GONE) await outbox.switchOff(sql, claimed, now)
      const recorded = await outbox.recordAttempt(sql, claimed, { ...outcome, ...verdict, durationMs, now })
      if (outcome.responseCode === GONE)
        await endWaiting(
          sql,
          claimed.instanceId,
          claimed.hookId,
          'the receiver is gone (410): the hook was switched off',
        )
      if (recorded) parts.onAttempt?.(verdict.status)
    })
  }

  /** Claims what is due, as far as there is room, and begins to send it. */
  async function begin(): Promise<number> {
    const limit = AT_ONCE - running.size
    if (limit <= 0) return 0
    const now = clock.now()
    const until = new Date(now.getTime() + CLAIM_MS)
    const claimed = await database.as('tally_operator', (sql) =>
      outbox.claimDue(sql, { now, until, busy: [...running.keys()], limit }),
    )
    for (const one of claimed) {
      const attempted = attempt(one)
        .catch(parts.onError)
        .finally(() => running.delete(one.hookId))
      running.set(one.hookId, attempted)
    }
    return claimed.length
  }

  return {
    begin,
    /** Ends when nothing is on its way any more. */
    async settle(): Promise<void> {
      await Promise.all(running.values())
    },
    purge: () =>
      database.as('tally_operator', (sql) =>
        outbox.purgeDeliveries(sql, new Date(clock.now().getTime() - LOG_KEPT_MS)),
      ),
  }
}
