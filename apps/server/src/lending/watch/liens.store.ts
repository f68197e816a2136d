import type { Address, Hex } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** A wallet that holds, or has frozen, less than the liens on it claim. */
export interface Shortfall {
  readonly shortfallId: string
  /** The borrower's wallet where pledges are frozen; where they lie in custody the adapter itself, and then every loan is short. */
  readonly holder: Address
  /** All liens on the wallet together, and what is there, in smallest units. */
  readonly expected: bigint
  readonly found: bigint
  /** Of `expected`, the part of this adapter. */
  readonly pledged: bigint
  readonly blockNumber: bigint
  readonly noticedAt: Date
  /** Null while it is open. */
  readonly healedAt: Date | null
}

const columns = (sql: Sql) => sql`
  shortfall_id as "shortfallId", holder, expected, found, pledged, block_number as "blockNumber", noticed_at as "noticedAt",
  healed_at as "healedAt"`

/** What an adapter's pledges lack now, as the last pass of the watcher saw it. Addresses are lowercased. */
export const openShortfalls = (sql: Sql, chainId: number, adapter: string) => sql<Shortfall[]>`
  select ${columns(sql)} from lien_shortfalls
  where chain_id = ${chainId} and adapter = ${adapter} and healed_at is null order by noticed_at, holder`

export const healedShortfalls = (sql: Sql, chainId: number, adapter: string, before: string | null, limit: number) =>
  sql<(Shortfall & { healedAt: Date })[]>`
  select ${columns(sql)} from lien_shortfalls
  where chain_id = ${chainId} and adapter = ${adapter} and healed_at is not null and not undone
    and (${before}::uuid is null or shortfall_id < ${before}::uuid)
  order by shortfall_id desc limit ${limit}`

export interface LienCheck {
  readonly blockNumber: bigint
  readonly blockTime: bigint
  readonly checkedAt: Date
  readonly wallets: number
  readonly unread: number
}

export const findLienCheck = (sql: Sql, chainId: number, adapter: string) => sql<LienCheck[]>`
  select block_number as "blockNumber", block_time as "blockTime", checked_at as "checkedAt", wallets, unread
  from lien_checks where chain_id = ${chainId} and adapter = ${adapter}`

export interface WatchedAdapter {
  readonly adapter: Address
  readonly token: Address
  readonly mode: 'FREEZE' | 'CUSTODY'
}

export const listAdapters = (sql: Sql, chainId: number) => sql<WatchedAdapter[]>`
  select distinct adapter, collateral_token as token, mode from lending_markets
  where chain_id = ${chainId} and is_live order by adapter`

export interface Pledge {
  readonly adapter: Address
  readonly loanId: string
  readonly holder: Address
}

/**
 * Loans that have something pledged, as far as the record goes. How much it is, the adapter says; a pledge that the record shows
 * although it is gone costs a read, no more.
 */
export const listPledges = (sql: Sql, chainId: number) => sql<Pledge[]>`
  select adapter, loan_id::text as "loanId", holder from standing_pledges
  where chain_id = ${chainId} and adapter in (select adapter from lending_markets where chain_id = ${chainId} and is_live)
  order by 1, 3, 2`

export interface OpenRow {
  readonly shortfallId: string
  readonly adapter: Address
  readonly holder: Address
  readonly blockNumber: bigint
  readonly blockHash: Hex
}

export const listOpen = (sql: Sql, chainId: number) => sql<OpenRow[]>`
  select shortfall_id as "shortfallId", adapter, holder, block_number as "blockNumber", block_hash as "blockHash"
  from lien_shortfalls where chain_id = ${chainId} and healed_at is null order by shortfall_id`

export interface SeenShortfall {
  readonly adapter: string
  readonly holder: string
  readonly token: string
  readonly expected: bigint
  readonly found: bigint
  readonly pledged: bigint
}

export interface SeenAt {
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly now: Date
}

export async function openShortfall(
  sql: Sql,
  chainId: number,
  shortfallId: string,
  seen: SeenShortfall,
  at: SeenAt,
): Promise<void> {
  await sql`
    insert into lien_shortfalls (shortfall_id, chain_id, adapter, holder, token, expected, found, pledged, block_number, block_hash, noticed_at)
    values (${shortfallId}, ${chainId}, ${seen.adapter}, ${seen.holder}, ${seen.token}, ${seen.expected.toString()}::numeric,
            ${seen.found.toString()}::numeric, ${seen.pledged.toString()}::numeric, ${at.blockNumber.toString()}::numeric, ${at.blockHash}, ${at.now})`
}

/** The figures of today; where it began stays, unless that block is gone. */
export async function keepShortfall(
  sql: Sql,
  shortfallId: string,
  seen: SeenShortfall,
  moved: SeenAt | null,
): Promise<void> {
  await sql`
    update lien_shortfalls set expected = ${seen.expected.toString()}::numeric, found = ${seen.found.toString()}::numeric,
      pledged = ${seen.pledged.toString()}::numeric, block_number = coalesce(${moved?.blockNumber.toString() ?? null}::numeric, block_number),
      block_hash = coalesce(${moved?.blockHash ?? null}, block_hash)
    where shortfall_id = ${shortfallId}`
}

export async function closeShortfall(sql: Sql, shortfallId: string, undone: boolean, now: Date): Promise<void> {
  await sql`update lien_shortfalls set healed_at = ${now}, undone = ${undone} where shortfall_id = ${shortfallId}`
}

export async function putLienCheck(
  sql: Sql,
  chainId: number,
  adapter: string,
  { blockNumber, blockTime, checkedAt, wallets, unread }: LienCheck,
): Promise<void> {
  await sql`
    insert into lien_checks (chain_id, adapter, block_number, block_time, checked_at, wallets, unread)
    values (${chainId}, ${adapter}, ${blockNumber.toString()}::numeric, ${blockTime.toString()}::bigint, ${checkedAt}, ${wallets}, ${unread})
    on conflict (chain_id, adapter) do update set block_number = excluded.block_number, block_time = excluded.block_time,
      checked_at = excluded.checked_at, wallets = excluded.wallets, unread = excluded.unread`
}

/** For the metrics: what every worker of this chain sees. */
export const readLienState = (sql: Sql, chainId: number) => sql<
  { open: number; unread: number; lastPass: Date | null }[]
>`
  select (select count(*)::integer from lien_shortfalls where chain_id = ${chainId} and healed_at is null) as open,
         (select coalesce(sum(unread), 0)::integer from lien_checks where chain_id = ${chainId}) as unread,
         (select moved_at from watch_turns where chain_id = ${chainId} and job = 'LIENS') as "lastPass"`
