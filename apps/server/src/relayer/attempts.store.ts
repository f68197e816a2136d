import type { RelayedStatus } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import type { Sql } from '../platform/db/database.ts'

export interface NewAttempt {
  readonly instanceId: string
  readonly attemptId: string
  readonly relayId: string
  readonly ordinal: number
  readonly txHash: Hex
  readonly raw: Hex
  readonly kind: 'CALL' | 'FILL'
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint | null
  readonly now: Date
}

/** Stores the first transaction of a reserved nonce. False: somebody else took the nonce meanwhile, and these bytes must not be sent. */
export async function storeFirst(sql: Sql, claim: string, attempt: NewAttempt): Promise<boolean> {
  const held = await sql`
    update relays set state = 'SIGNED', claim = null, claimed_at = null
    where instance_id = ${attempt.instanceId} and relay_id = ${attempt.relayId} and claim = ${claim} and state = 'RESERVED' returning 1`
  if (held.length === 0) return false
  await insertAttempt(sql, attempt)
  return true
}

/** Stores a replacement of the newest one. False: it is mined, or another worker replaced it. */
export async function storeReplacement(sql: Sql, attempt: NewAttempt): Promise<boolean> {
  const held = await sql`
    select 1 from relays where instance_id = ${attempt.instanceId} and relay_id = ${attempt.relayId} and state = 'SIGNED' for update`
  // Asked only now: what another worker stored while this one waited for the lock has to be seen.
  const [newest] = await sql<{ ordinal: number }[]>`
    select max(ordinal) as ordinal from relay_attempts where instance_id = ${attempt.instanceId} and relay_id = ${attempt.relayId}`
  if (held.length === 0 || newest?.ordinal !== attempt.ordinal - 1) return false
  await sql`
    update relay_attempts set status = 'replaced', replaced_by = ${attempt.txHash}, updated_at = ${attempt.now}
    where instance_id = ${attempt.instanceId} and relay_id = ${attempt.relayId} and status = 'pending'`
  await insertAttempt(sql, attempt)
  return true
}

async function insertAttempt(sql: Sql, attempt: NewAttempt): Promise<void> {
  await sql`
    insert into relay_attempts (instance_id, attempt_id, relay_id, ordinal, tx_hash, raw, kind, gas_limit, max_fee_per_gas,
      max_priority_fee_per_gas, status, created_at, updated_at)
    values (${attempt.instanceId}, ${attempt.attemptId}, ${attempt.relayId}, ${attempt.ordinal}, ${attempt.txHash}, ${attempt.raw},
      ${attempt.kind}, ${attempt.gasLimit.toString()}::numeric, ${attempt.maxFeePerGas.toString()}::numeric, ${attempt.maxPriorityFeePerGas?.toString() ?? null}::numeric,
      'pending', ${attempt.now}, ${attempt.now})`
}

/** What a node said about it: null when it took it. */
export async function noteBroadcast(
  sql: Sql,
  { instanceId, attemptId }: { readonly instanceId: string; readonly attemptId: string },
  refusedAs: string | null,
  now: Date,
): Promise<void> {
  await sql`
    update relay_attempts set sent_at = ${now}, refused_as = ${refusedAs},
      taken_at = coalesce(taken_at, case when ${refusedAs === null} then ${now}::timestamptz end)
    where instance_id = ${instanceId} and attempt_id = ${attemptId}`
}

/** A signed transaction as its instance sees it. */
export interface HistoryRow {
  readonly attemptId: string
  readonly relayId: string
  readonly txHash: Hex
  readonly status: RelayedStatus
  readonly kind: 'CALL' | 'FILL'
  readonly purpose: string
  readonly sender: Address
  readonly target: Address
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly replacedBy: Hex | null
  readonly reason: string | null
  readonly blockNumber: bigint | null
  readonly gasUsed: bigint | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface HistoryPage {
  readonly status: RelayedStatus | null
  readonly relayId: string | null
  readonly before: string | null
  readonly limit: number
}

export const listHistory = (sql: Sql, instanceId: string, { status, relayId, before, limit }: HistoryPage) => sql<
  HistoryRow[]
>`
  select a.attempt_id as "attemptId", a.relay_id as "relayId", a.tx_hash as "txHash", a.status, a.kind, r.purpose, r.sender,
    case when a.kind = 'FILL' then r.sender else r.target end as target, r.nonce, a.gas_limit as "gasLimit",
    a.max_fee_per_gas as "maxFeePerGas", a.replaced_by as "replacedBy",
    coalesce(a.reason, case when a.status = 'pending' then a.refused_as end) as reason, a.block_number as "blockNumber",
    a.gas_used as "gasUsed", a.created_at as "createdAt", a.updated_at as "updatedAt"
  from relay_attempts a join relays r using (instance_id, relay_id)
  where a.instance_id = ${instanceId} and (${status}::text is null or a.status = ${status})
    and (${relayId}::uuid is null or a.relay_id = ${relayId}) and (${before}::uuid is null or a.attempt_id < ${before})
  order by a.attempt_id desc limit ${limit}`
