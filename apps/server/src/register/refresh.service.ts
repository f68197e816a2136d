import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Random } from '../platform/random.ts'
import { createRegisterImport, type ImportReport } from './import.service.ts'
import { claimSource, noteSource } from './import.store.ts'
import { READING } from './read-file.rules.ts'

export interface RefreshOptions {
  readonly addresses: readonly string[]
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** Looks at every address whose turn it is. Several workers may do so at once: an address is taken by one of them. */
export function createRegisterRefresh(
  parts: { database: Database; clock: Clock; random: Random },
  options: RefreshOptions,
) {
  const { database, clock } = parts
  const imports = createRegisterImport(parts)
  const { timeoutMs, maxBytes, intervalMs } = options

  async function refreshOne(address: string, stopped: AbortSignal): Promise<ImportReport | null> {
    const now = clock.now()
    const before = new Date(now.getTime() - intervalMs)
    const validators = await database.as('tally_register', (sql) =>
      claimSource(sql, { source: address, now, before, reading: READING }),
    )
    if (!validators) return null
    const { report, validators: next } = await imports.importSource(address, {
      timeoutMs,
      maxBytes,
      validators,
      stopped,
    })
    if (next) await database.as('tally_register', (sql) => noteSource(sql, address, next, report.file))
    return report
  }

  return async (stopped: AbortSignal): Promise<ImportReport[]> => {
    const reports: ImportReport[] = []
    for (const address of options.addresses) {
      if (stopped.aborted) break
      const report = await refreshOne(address, stopped)
      if (report) reports.push(report)
    }
    return reports
  }
}

export type RegisterRefresh = ReturnType<typeof createRegisterRefresh>
