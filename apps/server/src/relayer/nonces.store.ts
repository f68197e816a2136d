import type { Address, Hex } from 'viem'
import type { Sql } from '../platform/db/database.ts'

/** An account on a chain: it has one row of nonces. */
export interface Account {
  readonly chainId: bigint
  readonly address: Address
}

export interface NewRelay extends Account {
  readonly instanceId: string
  readonly relayId: string
  readonly nonce: bigint
  readonly kind: 'CALL' | 'FILL'
  readonly purpose: string
  readonly target: Address
  readonly calldata: Hex
  readonly value: bigint
  readonly claim: string
  readonly now: Date
}

const ofAccount = (sql: Sql, { chainId, address }: Account) => sql`
  chain_id = ${chainId.toString()}::bigint and sender = ${address}`

/** The highest nonce that is spoken for and not mined; null: none. */
export async function highestOpenNonce(sql: Sql, account: Account): Promise<bigint | null> {
  const [row] = await sql<{ nonce: bigint | null }[]>`
    select max(nonce) as nonce from relays where ${ofAccount(sql, account)} and state in ('RESERVED', 'SIGNED')`
  return row?.nonce ?? null
}

/**
 * Takes a nonce back from whoever reserved it and is not going to sign: nobody, or somebody who has been silent since `claimedBefore`.
 * One that is being stored this moment is locked, and left alone.
 */
export async function takeUnsigned(
  sql: Sql,
  account: Account,
  { claimedBefore, from }: { readonly claimedBefore: Date; readonly from: bigint },
): Promise<bigint | null> {
  const [row] = await sql<{ nonce: bigint }[]>`
    delete from relays where (instance_id, relay_id) in (
      select instance_id, relay_id from relays
      where ${ofAccount(sql, account)} and state = 'RESERVED' and (claim is null or claimed_at < ${claimedBefore})
        and nonce >= ${from.toString()}::bigint
      order by nonce limit 1 for update skip locked)
    returning nonce`
  return row?.nonce ?? null
}

/** What the chain has used already, nobody can sign for any more. */
export async function dropPassed(sql: Sql, account: Account, before: bigint, claimedBefore: Date): Promise<void> {
  await sql`
    delete from relays where (instance_id, relay_id) in (
      select instance_id, relay_id from relays
      where ${ofAccount(sql, account)} and state = 'RESERVED' and (claim is null or claimed_at < ${claimedBefore})
        and nonce < ${before.toString()}::bigint
      for update skip locked)`
}

export async function insertRelay(sql: Sql, relay: NewRelay): Promise<void> {
  await sql`
    insert into relays (instance_id, relay_id, chain_id, sender, nonce, kind, purpose, target, calldata, value, state, claim,
      claimed_at, created_at)
    values (${relay.instanceId}, ${relay.relayId}, ${relay.chainId.toString()}::bigint, ${relay.address}, ${relay.nonce.toString()}::bigint,
      ${relay.kind}, ${relay.purpose}, ${relay.target}, ${relay.calldata}, ${relay.value.toString()}::numeric,
      'RESERVED', ${relay.claim}, ${relay.now}, ${relay.now})`
}

/** Nobody signs for it any more, unless it is signed already or being stored. */
export async function freeNonce(sql: Sql, instanceId: string, relayId: string, claim: string): Promise<void> {
  await sql`
    update relays set claim = null, claimed_at = null where (instance_id, relay_id) in (
      select instance_id, relay_id from relays
      where instance_id = ${instanceId} and relay_id = ${relayId} and claim = ${claim} and state = 'RESERVED' for update skip locked)`
}

/** The same for all whose signer has been silent since then. */
export async function freeSilent(sql: Sql, account: Account, claimedBefore: Date): Promise<void> {
  await sql`
    update relays set claim = null, claimed_at = null where (instance_id, relay_id) in (
      select instance_id, relay_id from relays
      where ${ofAccount(sql, account)} and state = 'RESERVED' and claimed_at < ${claimedBefore} for update skip locked)`
}

/** Undoes the reservation of this nonce, if nobody is going to sign for it. */
export async function dropFree(sql: Sql, account: Account, nonce: bigint): Promise<boolean> {
  const rows = await sql`
    delete from relays where (instance_id, relay_id) in (
      select instance_id, relay_id from relays
      where ${ofAccount(sql, account)} and state = 'RESERVED' and claim is null and nonce = ${nonce.toString()}::bigint
      for update skip locked)
    returning 1`
  return rows.length === 1
}

/** The lowest nonce that nobody is going to sign for, although a later one is signed and cannot be mined before it. */
export async function findGap(sql: Sql, account: Account): Promise<bigint | null> {
  const [row] = await sql<{ nonce: bigint }[]>`
    select nonce from relays g where ${ofAccount(sql, account)} and state = 'RESERVED' and claim is null
      and exists (select from relays s where s.chain_id = g.chain_id and s.sender = g.sender and s.state = 'SIGNED' and s.nonce > g.nonce)
    order by nonce limit 1`
  return row?.nonce ?? null
}

export async function dropReserved(sql: Sql, account: Account): Promise<void> {
  await sql`delete from relays where ${ofAccount(sql, account)} and state = 'RESERVED'`
}

/** What is signed and not mined. */
export async function findPending(sql: Sql, account: Account): Promise<{ pending: number; oldestAt: Date | null }> {
  const [row] = await sql<{ pending: number; oldestAt: Date | null }[]>`
    select count(*)::integer as pending, min(created_at) as "oldestAt" from relays where ${ofAccount(sql, account)} and state = 'SIGNED'`
  return row ?? { pending: 0, oldestAt: null }
}
