import type { Sql } from '../../platform/db/database.ts'

export type WatchJob = 'LIENS' | 'ALERTS'

export interface Turn {
  readonly turn: bigint
  readonly movedAt: Date
}

export async function readTurn(sql: Sql, chainId: number, job: WatchJob): Promise<Turn | undefined> {
  const [row] = await sql<Turn[]>`
    select turn, moved_at as "movedAt" from watch_turns where chain_id = ${chainId} and job = ${job}`
  return row
}

/** Compare-and-set: false when another worker was faster, and then nothing of this turn may be written. */
export async function moveTurn(
  sql: Sql,
  chainId: number,
  job: WatchJob,
  from: Turn | undefined,
  now: Date,
): Promise<boolean> {
  const moved = from
    ? await sql`
        update watch_turns set turn = turn + 1, moved_at = ${now}
        where chain_id = ${chainId} and job = ${job} and turn = ${from.turn.toString()}::bigint returning 1`
    : await sql`
        insert into watch_turns (chain_id, job, turn, moved_at) values (${chainId}, ${job}, 1, ${now})
        on conflict do nothing returning 1`
  return moved.length === 1
}
