import type { RelayedStatus } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import type { Sql } from '../platform/db/database.ts'
import type { Verdict } from './outcome.rules.ts'

export interface AttemptRow {
  readonly attemptId: string
  readonly ordinal: number
  readonly txHash: Hex
  readonly raw: Hex
  readonly kind: 'CALL' | 'FILL'
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint | null
  readonly status: RelayedStatus
  readonly blockNumber: bigint | null
  readonly blockHash: Hex | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  readonly takenAt: Date | null
  readonly refusedAs: string | null
}

/** A nonce whose outcome is open, or could still be undone. */
export interface OpenRelay {
  readonly instanceId: string
  readonly relayId: string
  readonly nonce: bigint
  readonly kind: 'CALL' | 'FILL'
  readonly target: Address
  readonly calldata: Hex
  readonly value: bigint
  readonly state: 'SIGNED' | 'MINED'
  /** Oldest first. */
  readonly attempts: readonly AttemptRow[]
}

interface JoinedRow extends Omit<OpenRelay, 'attempts'>, AttemptRow {}

export interface OpenAccount {
  readonly instanceId: string
  readonly address: Address
}

/** Accounts of a chain with something unsettled: also those whose relayer is gone. */
export const listOpenAccounts = (sql: Sql, chainId: number) => sql<OpenAccount[]>`
  select distinct instance_id as "instanceId", sender as address from relays where chain_id = ${chainId} and settled_at is null`

/** The lowest nonces first, since nothing later can be mined before them. What is mined waits only to be final. */
export async function listOpenRelays(
  sql: Sql,
  { instanceId, address }: OpenAccount,
  chainId: number,
  most: number,
): Promise<OpenRelay[]> {
  const rows = await sql<JoinedRow[]>`
    with chosen as (
      (select instance_id, relay_id from relays where instance_id = ${instanceId} and chain_id = ${chainId} and sender = ${address}
        and state = 'SIGNED' order by nonce limit ${most})
      union all
      (select instance_id, relay_id from relays where instance_id = ${instanceId} and chain_id = ${chainId} and sender = ${address}
        and state = 'MINED' and settled_at is null order by nonce limit ${most}))
    select r.instance_id as "instanceId", r.relay_id as "relayId", r.nonce, r.kind as "relayKind", r.target, r.calldata, r.value, r.state,
      a.attempt_id as "attemptId", a.ordinal, a.tx_hash as "txHash", a.raw, a.kind, a.gas_limit as "gasLimit",
      a.max_fee_per_gas as "maxFeePerGas", a.max_priority_fee_per_gas as "maxPriorityFeePerGas", a.status, a.block_number as "blockNumber",
      a.block_hash as "blockHash",
      a.created_at as "createdAt", a.sent_at as "sentAt", a.taken_at as "takenAt", a.refused_as as "refusedAs"
    from chosen join relays r using (instance_id, relay_id) join relay_attempts a using (instance_id, relay_id)
    order by r.nonce, a.ordinal`
  return grouped(rows as unknown as (JoinedRow & { relayKind: 'CALL' | 'FILL' })[])
}

function grouped(rows: readonly (JoinedRow & { relayKind: 'CALL' | 'FILL' })[]): OpenRelay[] {
  const relays = new Map<string, OpenRelay & { attempts: AttemptRow[] }>()
  for (const row of rows) {
    const { instanceId, relayId, nonce, relayKind, target, calldata, value, state, ...attempt } = row
    const known = relays.get(relayId)
    if (known) known.attempts.push(attempt)
    else
      relays.set(relayId, {
        instanceId,
        relayId,
        nonce,
        kind: relayKind,
        target,
        calldata,
        value,
        state,
        attempts: [attempt],
      })
  }
  return [...relays.values()]
}

type Ruling = Exclude<Verdict, { readonly is: 'OPEN' | 'UNCLEAR' }>

/** Writes what became of a nonce, and of every transaction that was signed for it. */
export async function recordOutcome(sql: Sql, relay: OpenRelay, ruling: Ruling, now: Date): Promise<void> {
  const { instanceId, relayId } = relay
  const settledAt = ruling.is === 'LOST' || (ruling.is === 'MINED' && ruling.final) ? now : null
  const state = ruling.is === 'REOPENED' ? 'SIGNED' : ruling.is
  const held = await sql`
    update relays set state = ${state}, settled_at = ${settledAt}
    where instance_id = ${instanceId} and relay_id = ${relayId} and state in ('SIGNED', 'MINED') and settled_at is null returning 1`
  if (held.length === 0) return
  for (const { attemptId, status, replacedBy, reason } of ruling.attempts) {
    const mined = ruling.is === 'MINED' && ruling.winner === attemptId ? ruling : null
    await sql`
      update relay_attempts set status = ${status}, replaced_by = ${replacedBy}, reason = ${reason}, updated_at = ${now},
        block_number = ${mined ? mined.blockNumber.toString() : null}::numeric, block_hash = ${mined?.blockHash ?? null},
        gas_used = ${mined ? mined.gasUsed.toString() : null}::numeric,
        sent_at = case when ${ruling.is !== 'REOPENED'} then sent_at end, taken_at = case when ${ruling.is !== 'REOPENED'} then taken_at end
      where instance_id = ${instanceId} and attempt_id = ${attemptId}`
  }
}
