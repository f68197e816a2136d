import type { Sql } from '../platform/db/database.ts'

export interface LogRow {
  readonly chainId: number
  readonly txHash: string
  readonly logIndex: number
  readonly blockLogIndex: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly blockTime: number
  readonly txFrom: string
}

type LogKey = Pick<LogRow, 'chainId' | 'txHash' | 'logIndex'>

/** What the record has at the place of an event; `same`: it is this very event, wherever it stood. */
export async function findLog(
  sql: Sql,
  row: LogRow,
): Promise<{ orphaned: boolean; blockHash: string; same: boolean } | undefined> {
  const [known] = await sql<{ orphaned: boolean; blockHash: string; same: boolean }[]>`
    select finality = 'ORPHANED' as orphaned, block_hash as "blockHash",
           address = ${row.address} and topics = ${[...row.topics]}::text[] and data = ${row.data} as same
    from chain_logs where chain_id = ${row.chainId} and tx_hash = ${row.txHash} and log_index = ${row.logIndex}`
  return known
}

export async function insertLog(sql: Sql, row: LogRow): Promise<void> {
  await sql`
    insert into chain_logs (chain_id, tx_hash, log_index, block_log_index, address, topics, data, block_number, block_hash, block_time, tx_from, finality)
    values (${row.chainId}, ${row.txHash}, ${row.logIndex}, ${row.blockLogIndex}, ${row.address}, ${[...row.topics]}, ${row.data},
            ${row.blockNumber.toString()}::numeric, ${row.blockHash}, ${row.blockTime}, ${row.txFrom}, 'MINED')`
}

/** The same event stands in this block now. */
export async function moveLog(sql: Sql, row: LogRow): Promise<void> {
  await sql`
    update chain_logs set block_number = ${row.blockNumber.toString()}::numeric, block_hash = ${row.blockHash},
      block_time = ${row.blockTime}, block_log_index = ${row.blockLogIndex}, finality = 'MINED'
    where chain_id = ${row.chainId} and tx_hash = ${row.txHash} and log_index = ${row.logIndex}`
}

/** Copies an event to a place of its transaction that no live event can have, as orphaned; answers the place. */
export async function copyAside(sql: Sql, { chainId, txHash, logIndex }: LogKey): Promise<number> {
  const [copy] = await sql<{ logIndex: number }[]>`
    insert into chain_logs (chain_id, tx_hash, log_index, block_log_index, address, topics, data, block_number, block_hash, block_time, tx_from, finality)
    select chain_id, tx_hash, (select least(min(log_index), 0) - 1 from chain_logs where chain_id = ${chainId} and tx_hash = ${txHash}),
           block_log_index, address, topics, data, block_number, block_hash, block_time, tx_from, 'ORPHANED'
    from chain_logs where chain_id = ${chainId} and tx_hash = ${txHash} and log_index = ${logIndex}
    returning log_index as "logIndex"`
  if (!copy) throw new Error('there is no event at this place')
  return copy.logIndex
}

/** Its facts go with it. */
export async function deleteLog(sql: Sql, { chainId, txHash, logIndex }: LogKey): Promise<void> {
  await sql`delete from chain_logs where chain_id = ${chainId} and tx_hash = ${txHash} and log_index = ${logIndex}`
}

/**
 * From now on the follower reads this contract's events, starting at `fromBlock`. The rows of one contract have one writer at a
 * time, held until the transaction ends: otherwise two writers would each derive rows without the other's facts.
 */
export async function watchContract(
  sql: Sql,
  chainId: number,
  address: string,
  kind: string,
  fromBlock: bigint,
): Promise<void> {
  await sql`
    insert into watched_contracts (chain_id, address, kind, scanned_to)
    values (${chainId}, ${address}, ${kind}, ${(fromBlock - 1n).toString()}::numeric)
    on conflict (chain_id, address) do nothing`
  await sql`select from watched_contracts where chain_id = ${chainId} and address = ${address} for update`
}

/** Which of these contracts the follower reads, and as what. */
export const listWatchedAmong = (sql: Sql, chainId: number, addresses: readonly string[]) =>
  sql<
    { address: string; kind: string }[]
  >`select address, kind from watched_contracts where chain_id = ${chainId} and address = any(${[...addresses]}::text[])`

/** An event that the follower should have met by now, but did not, lies before the place where it began to read. */
export async function scanAgainFrom(sql: Sql, chainId: number, address: string, block: bigint): Promise<void> {
  await sql`
    update watched_contracts set scanned_to = ${(block - 1n).toString()}::numeric
    where chain_id = ${chainId} and address = ${address} and scanned_to >= ${block.toString()}::numeric`
}
