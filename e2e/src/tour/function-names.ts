import * as generated from '@tallystick/abi'
import { type Abi, type Hex, toFunctionSelector } from 'viem'

/** Names of every function of our contracts, by the four bytes that stand for them in a transaction. */
function namesBySelector(): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, value] of Object.entries(generated)) {
    if (!name.endsWith('Abi')) continue
    for (const item of value as Abi) if (item.type === 'function') names.set(toFunctionSelector(item), item.name)
  }
  return names
}

let known: Map<string, string> | undefined

export function functionName(data: Hex | undefined): string {
  if (!data) return 'a payment'
  known ??= namesBySelector()
  return known.get(data.slice(0, 10)) ?? data.slice(0, 10)
}
