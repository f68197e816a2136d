import type { CallKinds } from '../platform/chain/call-pair.ts'
import type { Database } from '../platform/db/database.ts'
import { effectsOf } from './effects.ts'
import { storeFact } from './facts.store.ts'
import type { Projection } from './projection.ts'
import { clearFacts, holdWriters, listStoredLogs, listSubjects } from './rebuild.store.ts'

/** Derives every chain-derived row anew from the stored events, in one transaction: readers see the old rows or the new ones. */
export async function rebuild(
  database: Database,
  parts: { readonly kinds: CallKinds; readonly projections: readonly Projection[] },
): Promise<{ logs: number; facts: number }> {
  return database.as('tally_chain', async (sql) => {
    await holdWriters(sql)
    const logs = await listStoredLogs(sql)
    await clearFacts(sql)
    let facts = 0
    for (const { kind, chainId, ...log } of logs) {
      const { txHash, logIndex, address: subject } = log
      for (const named of effectsOf(parts.kinds, kind, log))
        if (await storeFact(sql, { chainId: Number(chainId), txHash, logIndex, subject, ...named })) facts += 1
    }
    for (const { chainId, address } of await listSubjects(sql))
      for (const project of parts.projections) await project(sql, Number(chainId), address)
    return { logs: logs.length, facts }
  })
}
