import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EdrSuiteResult } from './edr.ts'

/** What tests measured with `vm.snapshotGasLastCall`, by group and name. */
export function snapshotGroups(suites: readonly EdrSuiteResult[]): Map<string, Record<string, string>> {
  const groups = new Map<string, Record<string, string>>()
  for (const { testResults } of suites)
    for (const { valueSnapshotGroups = [] } of testResults)
      for (const { name, entries } of valueSnapshotGroups)
        groups.set(name, {
          ...groups.get(name),
          ...Object.fromEntries(entries.map((entry) => [entry.name, entry.value])),
        })
  return groups
}

/** The files that forge writes: one per group, the names in their order. */
export function writeSnapshots(folder: string, suites: readonly EdrSuiteResult[]): void {
  mkdirSync(folder, { recursive: true })
  for (const [group, figures] of snapshotGroups(suites)) {
    const sorted = Object.fromEntries(Object.entries(figures).sort(([a], [b]) => (a < b ? -1 : 1)))
    writeFileSync(join(folder, `${group}.json`), JSON.stringify(sorted, null, 2))
  }
}
