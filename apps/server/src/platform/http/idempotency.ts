import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { Operation } from '@tallystick/wire'
import { AppError, fieldError } from '../app-error.ts'
import type { Clock } from '../clock.ts'
import type { Sql, TenantDatabase } from '../db/database.ts'
import { inOneCommit } from '../db/one-commit.ts'
import type { ReplayedAnswer } from '../once.ts'
import type { Random } from '../random.ts'
import { mayOpenTransaction } from '../transaction-scope.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import { sortedJson } from './sorted-json.rules.ts'

const keyForm = /^[A-Za-z0-9_\-:.]{8,200}$/
const NONCE_SIZE = 12
const TAG_SIZE = 16

export function checkIdempotencyKey(key: string): void {
  if (keyForm.test(key)) return
  const message = 'must be 8 to 200 characters of A-Z a-z 0-9 _ - : .'
  throw fieldError('VALIDATION_ERROR', [{ field: 'Idempotency-Key', message }])
}

/** Two requests are the same when address and body are, whatever the order of the body's fields. */
export function fingerprint(url: string, body: unknown): Buffer {
  return hash('sha256', `${url}\n${sortedJson(body ?? null)}`, 'buffer')
}

function seal(plain: string, key: Buffer, random: Random): Buffer {
  const nonce = random(NONCE_SIZE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

function unseal(sealed: Buffer, key: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_SIZE))
  decipher.setAuthTag(sealed.subarray(NONCE_SIZE, NONCE_SIZE + TAG_SIZE))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_SIZE + TAG_SIZE)), decipher.final()]).toString('utf8')
  } catch {
    // Sealed by another key of the instance: to this caller it is somebody else's request.
    return null
  }
}

export interface IdempotentRequest {
  readonly operation: Operation
  readonly caller: Caller
  readonly key: string
  readonly fingerprint: Buffer
  readonly clock: Clock
  readonly random: Random
}

interface StoredAnswer {
  request_sha256: Buffer
  status: number
  answer: Buffer
}

/** The answer that whoever keeps keys without a claim found. */
export function replayOf({ fingerprint: kept, answer }: ReplayedAnswer, request: IdempotentRequest): Answer {
  if (!kept.equals(request.fingerprint)) throw new AppError('IDEMPOTENCY_MISMATCH')
  return answer
}

function replay(stored: StoredAnswer, request: IdempotentRequest): Answer {
  const body = request.operation.secret
    ? unseal(stored.answer, request.caller.sealingKey)
    : stored.answer.toString('utf8')
  if (body === null || !stored.request_sha256.equals(request.fingerprint)) throw new AppError('IDEMPOTENCY_MISMATCH')
  return { status: stored.status, body }
}

/** A claim is renewed while its owner works. An owner that was stopped or died for this long has lost it. */
const CLAIM_MS = 30_000
const RENEW_EVERY_MS = 10_000

interface Claim {
  readonly instanceId: string
  readonly operation: string
  readonly key: string
  readonly owner: string
}

const ofClaim = (sql: Sql, { instanceId, operation, key, owner }: Claim) => sql`
  instance_id = ${instanceId} and operation = ${operation} and idempotency_key = ${key} and owner = ${owner}`

const claimedUntil = (now: Date) => new Date(now.getTime() + CLAIM_MS)

/** False: somebody else is at it. */
async function takeClaim(sql: Sql, claim: Claim, now: Date): Promise<boolean> {
  const rows = await sql`
    insert into idempotency_claims as c (instance_id, operation, idempotency_key, owner, claimed_until)
    values (${claim.instanceId}, ${claim.operation}, ${claim.key}, ${claim.owner}, ${claimedUntil(now)})
    on conflict (instance_id, operation, idempotency_key) do update
      set owner = excluded.owner, claimed_until = excluded.claimed_until
      where c.claimed_until < ${now}
    returning 1`
  return rows.length > 0
}

const renewClaim = (sql: Sql, claim: Claim, now: Date) => sql`
  update idempotency_claims set claimed_until = ${claimedUntil(now)}
  where ${ofClaim(sql, claim)}`

const dropClaim = (sql: Sql, claim: Claim) => sql`delete from idempotency_claims where ${ofClaim(sql, claim)}`

async function findAnswer(
  sql: Sql,
  { instanceId, operation, key }: Claim,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const [stored] = await sql<StoredAnswer[]>`
    select request_sha256, status, answer from idempotency_keys
    where instance_id = ${instanceId} and operation = ${operation} and idempotency_key = ${key}
      and created_at > ${now}::timestamptz - interval '24 hours'`
  return stored
}

/** What a claim whose owner came too late throws: whatever it did is taken back, and the new owner answers. */
const lostClaim = () => new AppError('IDEMPOTENCY_IN_FLIGHT')

/** The claim ends with the answer it led to. */
async function storeAnswer(sql: Sql, claim: Claim, request: IdempotentRequest, answer: Answer): Promise<void> {
  const { operation, caller } = request
  const bytes = operation.secret
    ? seal(answer.body, caller.sealingKey, request.random)
    : Buffer.from(answer.body, 'utf8')
  const dropped = await dropClaim(sql, claim)
  if (dropped.count !== 1) throw lostClaim()
  const now = request.clock.now()
  const stored = await sql`
    insert into idempotency_keys as k (instance_id, operation, idempotency_key, request_sha256, status, answer, created_at)
    values (${claim.instanceId}, ${claim.operation}, ${claim.key}, ${request.fingerprint}, ${answer.status}, ${bytes}, ${now})
    on conflict (instance_id, operation, idempotency_key) do update
      set request_sha256 = excluded.request_sha256, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
      where k.created_at <= ${now}::timestamptz - interval '24 hours'`
  // Whoever keeps keys without a claim was there first.
  if (stored.count !== 1) throw lostClaim()
}

/**
 * Runs a write at most once per key. The key is claimed first, in a commit of its own; `run` then works without a transaction until it
 * has something to write, and that commits together with the answer. A claim is only a sign to keep away: what decides is that the
 * commit ends it, so of two owners only one gets through. `refusal` turns an error into the answer to store, or null when the error
 * must not be stored.
 */
export async function runIdempotent(
  tenant: TenantDatabase,
  request: IdempotentRequest,
  run: (tenant: TenantDatabase) => Promise<Answer>,
  refusal: (error: unknown) => Answer | null,
): Promise<{ answer: Answer; replayed: boolean }> {
  const { operation, caller, key, clock, random } = request
  const claim: Claim = {
    instanceId: caller.instance.instanceId,
    operation: operation.id,
    key,
    owner: random(16).toString('hex'),
  }
  const stored = await tenant.transaction(async (sql) => {
    if (!(await takeClaim(sql, claim, clock.now()))) throw new AppError('IDEMPOTENCY_IN_FLIGHT')
    // Looked for under the claim: whoever held it before has stored its answer, or will not.
    const found = await findAnswer(sql, claim, clock.now())
    if (found) await dropClaim(sql, claim)
    return found
  })
  if (stored) return { answer: replay(stored, request), replayed: true }

  const release = () => tenant.transaction(async (sql) => dropClaim(sql, claim))
  const renewing = setInterval(() => {
    // One that fails is followed by the next, and the commit looks again.
    void tenant.transaction(async (sql) => renewClaim(sql, claim, clock.now())).catch(() => undefined)
  }, RENEW_EVERY_MS)
  try {
    return await mayOpenTransaction(async (say) => {
      const work = inOneCommit(tenant, say)
      let answer: Answer
      try {
        answer = await run(work.tenant)
        await work.commit((sql) => storeAnswer(sql, claim, request, answer))
      } catch (error) {
        await work.undo()
        const refused = refusal(error)
        if (!refused) throw error
        await tenant.transaction((sql) => storeAnswer(sql, claim, request, refused))
        return { answer: refused, replayed: false }
      }
      await work.afterwards()
      return { answer, replayed: false }
    })
  } catch (error) {
    // Nothing was done: the next one need not wait until the claim runs out.
    await release().catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewing)
  }
}
