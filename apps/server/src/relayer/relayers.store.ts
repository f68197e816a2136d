import type { Address } from 'viem'
import type { Sql } from '../platform/db/database.ts'

/** A relayer as it is set up, and what its instance decided about it. */
export interface RelayerRow {
  readonly instanceId: string
  readonly chainId: bigint
  readonly address: Address
  readonly keystoreFile: string | null
  readonly passwordFile: string | null
  readonly remoteUrl: string | null
  readonly dailyTxLimit: number
  readonly maxGasPerTx: bigint | null
  readonly frozenAt: Date | null
  readonly nextNonce: bigint | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = (sql: Sql) => sql`
  r.instance_id as "instanceId", r.chain_id as "chainId", r.address, r.keystore_file as "keystoreFile", r.password_file as "passwordFile",
  r.remote_url as "remoteUrl", r.daily_tx_limit as "dailyTxLimit", r.max_gas_per_tx as "maxGasPerTx", r.frozen_at as "frozenAt",
  r.next_nonce as "nextNonce", r.created_at as "createdAt", r.updated_at as "updatedAt"`

export const findRelayer = (sql: Sql, instanceId: string) => sql<RelayerRow[]>`
  select ${columns(sql)} from relayers r where instance_id = ${instanceId}`

/** What is used of the day, and what is on its way. */
export interface RelayerUse {
  readonly usedToday: number
  readonly pending: number
  readonly oldestPendingAt: Date | null
}

export const findRelayerInUse = (sql: Sql, instanceId: string, dayStart: Date) => sql<(RelayerRow & RelayerUse)[]>`
  select ${columns(sql)}, ${usedSince(sql, instanceId, dayStart)} as "usedToday",
    (select count(*)::integer from relays p where p.instance_id = r.instance_id and p.state = 'SIGNED') as pending,
    (select min(p.created_at) from relays p where p.instance_id = r.instance_id and p.state = 'SIGNED') as "oldestPendingAt"
  from relayers r where instance_id = ${instanceId}`

/** A nonce that nobody signs for, and what only fills one, is no transaction of the instance. */
const usedSince = (sql: Sql, instanceId: string, start: Date) => sql`
  (select count(*)::integer from relays u where u.instance_id = ${instanceId} and u.created_at >= ${start} and u.kind = 'CALL'
    and (u.state <> 'RESERVED' or u.claim is not null))`

export async function countUsed(sql: Sql, instanceId: string, start: Date): Promise<number> {
  const [row] = await sql<{ used: number }[]>`select ${usedSince(sql, instanceId, start)} as used`
  return row?.used ?? 0
}

/** Whoever hands out or takes back nonces of a relayer holds this, and nothing else that takes long. */
export async function lockRelayer(sql: Sql, instanceId: string): Promise<RelayerRow | undefined> {
  const [row] = await sql<RelayerRow[]>`
    select ${columns(sql)} from relayers r where instance_id = ${instanceId} for no key update`
  return row
}

export async function setNextNonce(sql: Sql, instanceId: string, nonce: bigint): Promise<void> {
  await sql`update relayers set next_nonce = ${nonce.toString()}::bigint where instance_id = ${instanceId}`
}

export interface LimitRequest {
  readonly dailyTxLimit?: number | undefined
  readonly maxGasPerTx?: string | null | undefined
}

export async function updateLimits(sql: Sql, instanceId: string, request: LimitRequest, now: Date): Promise<void> {
  const { dailyTxLimit, maxGasPerTx } = request
  await sql`
    update relayers set daily_tx_limit = coalesce(${dailyTxLimit ?? null}::integer, daily_tx_limit),
      max_gas_per_tx = case when ${maxGasPerTx !== undefined} then ${maxGasPerTx ?? null}::numeric else max_gas_per_tx end,
      updated_at = ${now}
    where instance_id = ${instanceId}`
}

/** One that is frozen already stays so since then. */
export async function updateFrozen(sql: Sql, instanceId: string, frozen: boolean, now: Date): Promise<void> {
  await sql`
    update relayers set frozen_at = case when ${frozen} then coalesce(frozen_at, ${now}) end,
      updated_at = case when (frozen_at is not null) = ${frozen} then updated_at else ${now} end
    where instance_id = ${instanceId}`
}

export const listRelayers = (sql: Sql, chainId: number) => sql<RelayerRow[]>`
  select ${columns(sql)} from relayers r where chain_id = ${chainId} order by instance_id`

export interface NewRelayer {
  readonly instanceId: string
  readonly chainId: bigint
  readonly address: Address
  readonly keystoreFile: string | null
  readonly passwordFile: string | null
  readonly remoteUrl: string | null
}

/** Limits and a freeze outlive another key; nonces are reckoned anew. */
export async function putRelayer(sql: Sql, request: NewRelayer, now: Date): Promise<void> {
  await sql`
    insert into relayers (instance_id, chain_id, address, keystore_file, password_file, remote_url, created_at, updated_at)
    values (${request.instanceId}, ${request.chainId.toString()}::bigint, ${request.address}, ${request.keystoreFile}, ${request.passwordFile},
      ${request.remoteUrl}, ${now}, ${now})
    on conflict (instance_id) do update set chain_id = excluded.chain_id, address = excluded.address,
      keystore_file = excluded.keystore_file, password_file = excluded.password_file, remote_url = excluded.remote_url,
      next_nonce = null, updated_at = excluded.updated_at`
}

export async function deleteRelayer(sql: Sql, instanceId: string): Promise<boolean> {
  const rows = await sql`delete from relayers where instance_id = ${instanceId} returning 1`
  return rows.length === 1
}

export const findInstanceChain = (sql: Sql, instanceId: string) => sql<{ chainId: bigint }[]>`
  select chain_id as "chainId" from instances where instance_id = ${instanceId}`

/** The instance whose relayer has this account already. */
export const findHolder = (sql: Sql, chainId: bigint, address: Address) => sql<{ instanceId: string }[]>`
  select instance_id as "instanceId" from relayers where chain_id = ${chainId.toString()}::bigint and address = ${address}`
