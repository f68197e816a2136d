import type { Address } from 'viem'
import type { Sql } from '../platform/db/database.ts'

export interface WalletRow {
  readonly address: Address
  readonly label: string | null
  readonly primary: boolean
  readonly verifiedBy: 'EIP191' | 'ERC1271'
  readonly verifiedAt: Date
}

export interface ChallengeRow {
  readonly nonce: string
  readonly address: string
  readonly message: string
  readonly expiresAt: Date
}

const columns = (sql: Sql) =>
  sql`address, label, is_primary as "primary", verified_by as "verifiedBy", verified_at as "verifiedAt"`

export const listWallets = (sql: Sql, instanceId: string) => sql<WalletRow[]>`
  select ${columns(sql)} from wallets where instance_id = ${instanceId} order by is_primary desc, verified_at, address`

/** Serializes everything that counts wallets of one instance or moves its primary. */
export async function lockWallets(sql: Sql, instanceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('wallets ' || ${instanceId}::text, 0))`
}

export async function insertChallenge(sql: Sql, instanceId: string, challenge: ChallengeRow, now: Date): Promise<void> {
  await sql`delete from wallet_challenges where instance_id = ${instanceId} and expires_at <= ${now}`
  await sql`
    insert into wallet_challenges (instance_id, nonce, address, message, expires_at)
    values (${instanceId}, ${challenge.nonce}, ${challenge.address}, ${challenge.message}, ${challenge.expiresAt})`
}

/** Takes the challenge away, so that it serves once. */
export async function useChallenge(
  sql: Sql,
  instanceId: string,
  nonce: string,
  address: string,
  now: Date,
): Promise<ChallengeRow | undefined> {
  const [row] = await sql<ChallengeRow[]>`
    delete from wallet_challenges
    where instance_id = ${instanceId} and nonce = ${nonce} and address = ${address} and expires_at > ${now}
    returning nonce, address, message, expires_at as "expiresAt"`
  return row
}

export const readChallenge = (sql: Sql, instanceId: string, nonce: string, address: string, now: Date) => sql<
  ChallengeRow[]
>`
  select nonce, address, message, expires_at as "expiresAt" from wallet_challenges
  where instance_id = ${instanceId} and nonce = ${nonce} and address = ${address} and expires_at > ${now}`

export async function insertWallet(sql: Sql, instanceId: string, wallet: WalletRow): Promise<WalletRow> {
  const [row] = await sql<WalletRow[]>`
    insert into wallets (instance_id, address, label, is_primary, verified_by, verified_at)
    values (${instanceId}, ${wallet.address}, ${wallet.label}, ${wallet.primary}, ${wallet.verifiedBy}, ${wallet.verifiedAt})
    returning ${columns(sql)}`
  if (!row) throw new Error('an inserted wallet was not returned')
  return row
}

export async function primaryWallet(sql: Sql, instanceId: string): Promise<string | undefined> {
  const [row] = await sql<{ address: string }[]>`
    select address from wallets where instance_id = ${instanceId} and is_primary`
  return row?.address
}

export async function setPrimary(sql: Sql, instanceId: string, address: string): Promise<WalletRow | undefined> {
  await sql`update wallets set is_primary = false where instance_id = ${instanceId} and is_primary and address <> ${address}`
  const [row] = await sql<WalletRow[]>`
    update wallets set is_primary = true where instance_id = ${instanceId} and address = ${address} returning ${columns(sql)}`
  return row
}

export async function deleteWallet(sql: Sql, instanceId: string, address: string): Promise<WalletRow | undefined> {
  const [row] = await sql<WalletRow[]>`
    delete from wallets where instance_id = ${instanceId} and address = ${address} returning ${columns(sql)}`
  return row
}

export async function oldestWallet(sql: Sql, instanceId: string): Promise<string | undefined> {
  const [row] = await sql<{ address: string }[]>`
    select address from wallets where instance_id = ${instanceId} order by verified_at, address limit 1`
  return row?.address
}
