import type { Effect } from '../platform/chain/call-pair.ts'
import type { Clock } from '../platform/clock.ts'
import type { Sql } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import * as logs from './events.store.ts'
import * as facts from './facts.store.ts'

/** Who saw an event. Only the follower knows which block stands; what a confirm read may have been reorganized away since. */
export type Witness = 'confirm' | 'follower'

export interface StoredEvent {
  /** `moved`: it stood in another block until now. `restored`: it was orphaned. */
  readonly log: 'none' | 'new' | 'moved' | 'restored'
  readonly newFacts: number
  /** False: everything was known already, and what is derived from it stands. */
  readonly changed: boolean
}

async function place(sql: Sql, row: logs.LogRow, witness: Witness): Promise<StoredEvent['log']> {
  const known = await logs.findLog(sql, row)
  if (known && !known.orphaned && (known.blockHash === row.blockHash || witness === 'confirm')) return 'none'
  if (known?.same) {
    await logs.moveLog(sql, row)
    return known.orphaned ? 'restored' : 'moved'
  }
  if (known) await setAside(sql, row)
  await logs.insertLog(sql, row)
  return 'new'
}

/** Executed anew in another block, a transaction may do other things in another order: its old event makes room for the new. */
async function setAside(sql: Sql, row: logs.LogRow): Promise<void> {
  const logIndex = await logs.copyAside(sql, row)
  for (const fact of await facts.listFactsOf(sql, row)) await facts.storeFact(sql, { ...fact, logIndex })
  await facts.moveRecordings(sql, row, logIndex)
  await logs.deleteLog(sql, row)
}

/** The one way an event enters the record, whoever saw it. Needs the role tally_chain and the lock on its contract. */
export function createEventStore({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
  async function notice(sql: Sql, kind: 'FACT_ORPHANED' | 'FACT_RESTORED', fact: facts.FactKey): Promise<void> {
    await facts.insertNotice(sql, { ...fact, noticeId: newId(clock, random), kind, noticedAt: clock.now() })
  }

  /** An effect that a reorg took away is back at another place: whoever recorded it there has recorded it here. */
  async function recognise(sql: Sql, fact: facts.FactRow): Promise<void> {
    if (!(await facts.hasOrphanedTwin(sql, fact))) return
    await facts.carryRecordingsOver(sql, fact)
    await notice(sql, 'FACT_RESTORED', fact)
  }

  return {
    async store(
      sql: Sql,
      row: logs.LogRow,
      effects: readonly { readonly operation: string; readonly effect: Effect }[],
      witness: Witness,
    ): Promise<StoredEvent> {
      const { chainId, txHash, logIndex, address: subject } = row
      const log = await place(sql, row, witness)
      let newFacts = 0
      for (const { operation, effect } of effects) {
        const fact = { chainId, txHash, logIndex, subject, operation, effect }
        if (!(await facts.storeFact(sql, fact))) continue
        newFacts += 1
        if (log === 'new') await recognise(sql, fact)
      }
      if (log === 'restored')
        for (const fact of await facts.listFactsOf(sql, row)) await notice(sql, 'FACT_RESTORED', fact)
      return { log, newFacts, changed: log !== 'none' || newFacts > 0 }
    },

    noticeOrphaned: (sql: Sql, fact: facts.FactKey) => notice(sql, 'FACT_ORPHANED', fact),
  }
}
