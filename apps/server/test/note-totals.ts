import type { Database } from '../src/platform/db/database.ts'
import type { Projection } from '../src/writes/index.ts'

export interface NoteTotals {
  readonly project: Projection
  /** The next projection fails with it, once. */
  failWith: Error | undefined
  /** Stops the next projection, in the middle of its transaction, until `release`; `held` says that it got there. */
  hold(): { readonly held: Promise<void>; release(): void }
}

/** Rows derived from facts: how many notes each notary holds, and what they come to. */
export function noteTotals(): NoteTotals {
  let gate: (() => Promise<void>) | undefined
  const totals: NoteTotals = {
    failWith: undefined,
    hold() {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const held = new Promise<void>((resolve) => {
        gate = () => {
          gate = undefined
          resolve()
          return released
        }
      })
      return { held, release }
    },
    async project(sql, chainId, subject) {
      const failure = totals.failWith
      totals.failWith = undefined
      if (failure) throw failure
      await gate?.()
      const [row] = await sql<{ notes: bigint; total: bigint }[]>`
        select count(*) as notes, coalesce(sum((effect->>'amount')::numeric), 0) as total from chain_live_facts
        where chain_id = ${chainId} and subject = ${subject} and operation = 'recordNote'`
      await sql`
        insert into note_totals (chain_id, subject, notes, total)
        values (${chainId}, ${subject}, ${String(row?.notes)}::bigint, ${String(row?.total)}::numeric)
        on conflict (chain_id, subject) do update set notes = excluded.notes, total = excluded.total`
    },
  }
  return totals
}

export async function createNoteTotals(database: Database): Promise<void> {
  await database.owner.unsafe(`
    create table note_totals (chain_id bigint, subject text, notes bigint not null, total numeric(78, 0) not null, primary key (chain_id, subject));
    select tally_chain_table('note_totals', 'subject')`)
}
