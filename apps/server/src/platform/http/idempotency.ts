import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { Operation } from '@tallystick/wire'
import { AppError, fieldError } from '../app-error.ts'
import { actAs, type Sql, type TenantDatabase } from '../db/database.ts'
import type { Random } from '../random.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'

const keyForm = /^[A-Za-z0-9_\-:.]{8,200}$/
const NONCE_SIZE = 12
const TAG_SIZE = 16

export function checkIdempotencyKey(key: string): void {
  if (keyForm.test(key)) return
  const message = 'must be 8 to 200 characters of A-Z a-z 0-9 _ - : .'
  throw fieldError('VALIDATION_ERROR', [{ field: 'Idempotency-Key', message }])
}

function sortedKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Two requests are the same when address and body are, whatever the order of the body's fields. */
export function fingerprint(url: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${url}\n${JSON.stringify(body ?? null, sortedKeys)}`)
    .digest()
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

/** A database view that joins the transaction already open, so that the effect and its record commit together. */
function joined(tenant: TenantDatabase, sql: Sql, afterwards: (() => Promise<void>)[]): TenantDatabase {
  return {
    ...tenant,
    joined: sql,
    read: async (query) => [...(await query(sql))],
    // A transaction of its own would have ended, and its role with it.
    transaction: async (work) => {
      const value = await work(sql)
      await actAs(sql, 'tally_api')
      return value
    },
    onceCommitted: async (work) => {
      afterwards.push(work)
    },
  }
}

export interface IdempotentRequest {
  readonly operation: Operation
  readonly caller: Caller
  readonly key: string
  readonly fingerprint: Buffer
  readonly now: Date
  readonly random: Random
}

interface StoredAnswer {
  request_sha256: Buffer
  status: number
  answer: Buffer
}

function replay(stored: StoredAnswer, request: IdempotentRequest): Answer {
  const body = request.operation.secret
    ? unseal(stored.answer, request.caller.sealingKey)
    : stored.answer.toString('utf8')
  if (body === null || !stored.request_sha256.equals(request.fingerprint)) throw new AppError('IDEMPOTENCY_MISMATCH')
  return { status: stored.status, body }
}

/**
 * Runs a write at most once per key. `run` gets the open transaction; what it answers (or refuses with a 4xx) is stored in the
 * same commit. `refusal` turns an error into the answer to store, or null when the error must not be stored.
 */
export async function runIdempotent(
  tenant: TenantDatabase,
  request: IdempotentRequest,
  run: (tenant: TenantDatabase) => Promise<Answer>,
  refusal: (error: unknown) => Answer | null,
): Promise<{ answer: Answer; replayed: boolean }> {
  const { operation, caller, key } = request
  const { instanceId } = caller.instance
  const afterwards: (() => Promise<void>)[] = []
  const outcome = await tenant.transaction(async (sql) => {
    const lock = `${instanceId}\n${operation.id}\n${key}`
    const [held] = await sql<
      { free: boolean }[]
    >`select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as free`
    if (!held?.free) throw new AppError('IDEMPOTENCY_IN_FLIGHT')
    const [stored] = await sql<StoredAnswer[]>`
      select request_sha256, status, answer from idempotency_keys
      where instance_id = ${instanceId} and operation = ${operation.id} and idempotency_key = ${key}
        and created_at > ${request.now}::timestamptz - interval '24 hours'`
    if (stored) return { answer: replay(stored, request), replayed: true }

    await sql`savepoint work`
    let answer: Answer
    try {
      answer = await run(joined(tenant, sql, afterwards))
    } catch (error) {
      const refused = refusal(error)
      if (!refused) throw error
      await sql`rollback to savepoint work`
      afterwards.length = 0
      answer = refused
    }
    const bytes = operation.secret
      ? seal(answer.body, caller.sealingKey, request.random)
      : Buffer.from(answer.body, 'utf8')
    await sql`
      insert into idempotency_keys (instance_id, operation, idempotency_key, request_sha256, status, answer, created_at)
      values (${instanceId}, ${operation.id}, ${key}, ${request.fingerprint}, ${answer.status}, ${bytes}, ${request.now})
      on conflict (instance_id, operation, idempotency_key) do update
        set request_sha256 = excluded.request_sha256, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at`
    return { answer, replayed: false }
  })
  for (const work of afterwards) await work()
  return outcome
}
