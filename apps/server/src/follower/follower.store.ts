import type { Sql } from '../platform/db/database.ts'
import type { Finality } from './finality.rules.ts'

export interface Cursor {
  readonly genesisHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
}
export interface Watched {
  readonly address: string
  readonly kind: string
  readonly scannedTo: bigint
}
export interface OpenBlock {
  readonly blockNumber: bigint
  readonly blockHash: string
}
export interface ChangedFact {
  readonly txHash: string
  readonly logIndex: number
  readonly subject: string
  readonly operation: string
}

/** How many recent heights are remembered to find where a fork began. */
const REMEMBERED_BLOCKS = 512

export async function readCursor(sql: Sql, chainId: number): Promise<Cursor | undefined> {
  const [row] = await sql<Cursor[]>`
    select genesis_hash as "genesisHash", block_number as "blockNumber", block_hash as "blockHash" from chain_cursors where chain_id = ${chainId}`
  return row
}

export async function insertCursor(sql: Sql, chainId: number, cursor: Cursor, now: Date): Promise<void> {
  await sql`
    insert into chain_cursors (chain_id, genesis_hash, block_number, block_hash, moved_at)
    values (${chainId}, ${cursor.genesisHash}, ${cursor.blockNumber.toString()}::numeric, ${cursor.blockHash}, ${now}) on conflict do nothing`
  await rememberBlock(sql, chainId, cursor)
}

export async function rememberBlock(sql: Sql, chainId: number, block: OpenBlock): Promise<void> {
  await sql`
    insert into chain_blocks (chain_id, block_number, block_hash) values (${chainId}, ${block.blockNumber.toString()}::numeric, ${block.blockHash})
    on conflict (chain_id, block_number) do update set block_hash = excluded.block_hash`
  await sql`
    delete from chain_blocks where chain_id = ${chainId} and block_number not in (
      select block_number from chain_blocks where chain_id = ${chainId} order by block_number desc limit ${REMEMBERED_BLOCKS})`
}

/** Compare-and-set: false when another worker moved the cursor first, and then nothing of this pass may be written. */
export async function moveCursor(
  sql: Sql,
  chainId: number,
  from: Cursor,
  to: OpenBlock & { genesisHash: string },
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update chain_cursors set block_number = ${to.blockNumber.toString()}::numeric, block_hash = ${to.blockHash}, genesis_hash = ${to.genesisHash}, moved_at = ${now}
    where chain_id = ${chainId} and block_number = ${from.blockNumber.toString()}::numeric and block_hash = ${from.blockHash} returning 1`
  return rows.length === 1
}

export const listRemembered = (sql: Sql, chainId: number) => sql<OpenBlock[]>`
  select block_number as "blockNumber", block_hash as "blockHash" from chain_blocks where chain_id = ${chainId} order by block_number desc`

export async function forgetBlocksAbove(sql: Sql, chainId: number, height: bigint): Promise<void> {
  await sql`delete from chain_blocks where chain_id = ${chainId} and block_number > ${height.toString()}::numeric`
  await sql`update watched_contracts set scanned_to = least(scanned_to, ${height.toString()}::numeric) where chain_id = ${chainId}`
}

export const listWatched = (sql: Sql, chainId: number) =>
  sql<
    Watched[]
  >`select address, kind, scanned_to as "scannedTo" from watched_contracts where chain_id = ${chainId} order by address`

/** One writer per contract: until the end of this transaction no confirm touches what is about to change. */
export async function lockWatched(sql: Sql, chainId: number): Promise<void> {
  await sql`select from watched_contracts where chain_id = ${chainId} order by address for update`
}

/** Leaves alone a contract that was sent back to an earlier block while its events were read. */
export async function setScannedTo(
  sql: Sql,
  chainId: number,
  scan: { readonly addresses: readonly string[]; readonly from: bigint; readonly to: bigint },
): Promise<void> {
  await sql`
    update watched_contracts set scanned_to = ${scan.to.toString()}::numeric
    where chain_id = ${chainId} and address = any(${[...scan.addresses]}) and scanned_to = ${scan.from.toString()}::numeric`
}

/** Blocks that hold events whose fate is open; after a fork, also those that were called final. */
export const listOpenBlocks = (sql: Sql, chainId: number, above: bigint | null) => sql<OpenBlock[]>`
  select distinct block_number as "blockNumber", block_hash as "blockHash" from chain_logs
  where chain_id = ${chainId}
    and (finality in ('MINED', 'SAFE') or (finality = 'FINALIZED' and block_number > ${above?.toString() ?? null}::numeric))
  order by block_number`

/** Answers the facts that were orphaned by it. */
export async function setFinality(
  sql: Sql,
  chainId: number,
  block: OpenBlock,
  finality: Finality,
): Promise<ChangedFact[]> {
  const facts = await sql<ChangedFact[]>`
    with changed as (
      update chain_logs set finality = ${finality}
      where chain_id = ${chainId} and block_number = ${block.blockNumber.toString()}::numeric and block_hash = ${block.blockHash} and finality <> ${finality}
      returning chain_id, tx_hash, log_index)
    select f.tx_hash as "txHash", f.log_index as "logIndex", f.subject, f.operation
    from changed join chain_facts f using (chain_id, tx_hash, log_index)`
  return finality === 'ORPHANED' ? [...facts] : []
}
