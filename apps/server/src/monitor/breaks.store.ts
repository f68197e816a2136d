import type { BlockPlace } from '../platform/chain/pinned.ts'
import type { Sql } from '../platform/db/database.ts'
import type { Verdict } from './invariant.rules.ts'

export interface BreakRow {
  readonly breakId: string
  readonly contract: string
  readonly invariant: string
}

export const listOpen = (sql: Sql, chainId: number) => sql<BreakRow[]>`
  select break_id as "breakId", contract, invariant from invariant_breaks where chain_id = ${chainId} and healed_at is null`

/** No row: another worker saw it first. */
export const open = (
  sql: Sql,
  chainId: number,
  { breakId, block, now }: { breakId: string; block: BlockPlace; now: Date },
  { contract, invariant, broken }: Verdict,
) => sql`
  insert into invariant_breaks (chain_id, break_id, contract, invariant, detail, block_number, block_hash, opened_at)
  values (${chainId}, ${breakId}, ${contract}, ${invariant}, ${broken ?? ''}, ${block.number.toString()}::numeric, ${block.hash}, ${now})
  on conflict do nothing returning 1`

export const heal = (sql: Sql, breakId: string, now: Date) => sql`
  update invariant_breaks set healed_at = ${now} where break_id = ${breakId} and healed_at is null returning 1`
