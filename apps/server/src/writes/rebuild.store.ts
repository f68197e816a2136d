import type { Address, Hex } from 'viem'
import type { Sql } from '../platform/db/database.ts'

export interface StoredLog {
  readonly chainId: bigint
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Address
  readonly topics: Hex[]
  readonly data: Hex
  readonly kind: string
}

/** Whoever writes about a contract locks its row first: until the end of this transaction nobody does. */
export async function holdWriters(sql: Sql): Promise<void> {
  await sql`lock table watched_contracts in exclusive mode`
}

/** Every stored event, in chain order, with the kind of contract that emitted it. */
export const listStoredLogs = (sql: Sql) => sql<StoredLog[]>`
  select l.chain_id as "chainId", l.tx_hash as "txHash", l.log_index as "logIndex", l.address, l.topics, l.data, w.kind
  from chain_logs l join watched_contracts w using (chain_id, address)
  order by l.chain_id, l.block_number, l.block_log_index`

export async function clearFacts(sql: Sql): Promise<void> {
  await sql`delete from chain_facts`
}

export const listSubjects = (sql: Sql) =>
  sql<
    { chainId: bigint; address: string }[]
  >`select chain_id as "chainId", address from watched_contracts order by chain_id, address`
