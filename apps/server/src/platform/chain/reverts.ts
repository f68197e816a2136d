import type { Abi, Hex } from 'viem'
import { decodeRevert } from './selectors.ts'

/** A revert in the words of the catalogue. */
export interface Revert {
  /** The contract's own name for the fault, or `Error`, `Panic`, `Unknown`. */
  readonly error: string
  readonly code: string | null
  readonly message: string
}

/** Every custom error a contract can raise: a code and a sentence, or `unreachable` with the reason. */
export type RevertTable = Readonly<
  Record<string, { readonly code: string; readonly message: string } | { readonly unreachable: string }>
>

export type ExplainRevert = (data: Hex) => Revert

const builtins = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
] as const satisfies Abi

function shown(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : String(value)
}

/** One decoder for all faults of the contracts at hand: typed decoding by ABI, then the table. */
export function explainReverts(abis: readonly Abi[], table: RevertTable): ExplainRevert {
  const abi = [...builtins, ...abis.flat().filter((item) => item.type === 'error')] as Abi
  return (data) => {
    if (data === '0x') return { error: 'Unknown', code: null, message: 'The call would fail without saying why.' }
    try {
      const { errorName, args } = decodeRevert(abi, data)
      const values = (args ?? []).map(shown)
      if (errorName === 'Error') return { error: 'Error', code: null, message: values[0] ?? '' }
      const entry = table[errorName]
      const message = entry && 'message' in entry ? entry.message : `The contract refused with ${errorName}.`
      return {
        error: errorName,
        code: entry && 'code' in entry ? entry.code : null,
        message: values.length ? `${message} (${values.join(', ')})` : message,
      }
    } catch {
      return {
        error: 'Unknown',
        code: null,
        message: `The call would fail with ${data.slice(0, 10)}, which no known contract declares.`,
      }
    }
  }
}

/** Errors of the given ABIs that the table neither maps nor marks unreachable; the catalogue test wants none. */
export function unmappedErrors(abis: readonly Abi[], table: RevertTable): string[] {
  const names = abis.flat().flatMap((item) => (item.type === 'error' ? [item.name] : []))
  return [...new Set(names)].filter((name) => !Object.hasOwn(table, name)).sort()
}
