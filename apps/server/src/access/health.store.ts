import type { Sql } from '../platform/db/database.ts'

/** How far the worker has read each chain, and when it last moved. */
export const listFollowed = (sql: Sql) =>
  sql<{ chainId: bigint; followedTo: string; movedAt: Date }[]>`
    select chain_id as "chainId", block_number::text as "followedTo", moved_at as "movedAt" from chain_cursors order by chain_id`
