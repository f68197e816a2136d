import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What forge reads in `foundry.toml`, as far as the other runner has to do the same. */
export type FoundryConfig = {
  remappings: string[]
  evm_version: string
  optimizer: boolean
  optimizer_runs: number
  bytecode_hash: string
  cbor_metadata: boolean
  fs_permissions: { access: string; path: string }[]
  isolate?: boolean
  gas_snapshot_emit: boolean
  fuzz: { runs: number }
  invariant: { runs: number; depth: number; fail_on_revert: boolean }
}

type Table = Record<string, unknown>

/** The profile that FOUNDRY_PROFILE names, on top of the default one. */
export function readFoundryConfig(contractsFolder: string, profile = 'default'): FoundryConfig {
  const tables = parseTables(readFileSync(join(contractsFolder, 'foundry.toml'), 'utf8'))
  const chosen = tables.get(`profile.${profile}`)
  if (chosen === undefined) throw new Error(`foundry.toml has no profile ${profile}`)
  return { ...tables.get('profile.default'), ...chosen } as FoundryConfig
}

/** The part of TOML that foundry.toml is written in; whatever else it holds is refused, never skipped. */
export function parseTables(text: string): Map<string, Table> {
  const strings: string[] = []
  const masked = text
    .replace(/"[^"\n]*"|#[^\n]*/g, (found) => (found.startsWith('#') ? '' : `$${strings.push(found) - 1};`))
    // A list over several lines becomes one line.
    .replace(/\[[^\]]*\]/g, (list) => list.replace(/\s+/g, ' '))
  const tables = new Map<string, Table>()
  let current: Table = {}
  for (const line of masked.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const [, heading] = /^\[([\w.]+)\]$/.exec(line) ?? []
    const [, key, value] = /^(\w+) *= *(.+)$/.exec(line) ?? []
    if (heading !== undefined) {
      current = {}
      tables.set(heading, current)
    } else if (key !== undefined && value !== undefined) current[key] = parseValue(value, strings)
    else throw new Error(`foundry.toml: not understood: ${line}`)
  }
  return tables
}

function parseValue(value: string, strings: string[]): unknown {
  const json = value
    .replace(/(\w+) *= */g, '"$1":')
    .replace(/, *([\]}])/g, '$1')
    .replace(/(\d)_(?=\d)/g, '$1')
    .replace(/\$(\d+);/g, (_, index: string) => strings[Number(index)] ?? '')
  return JSON.parse(json)
}
