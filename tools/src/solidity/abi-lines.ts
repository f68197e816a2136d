import type { AbiItem } from './compiler.ts'

const KINDS = ['constructor', 'fallback', 'receive', 'function', 'event', 'error']
const ITEM_KEYS = ['type', 'name', 'inputs', 'outputs', 'stateMutability', 'anonymous']
const PARAMETER_KEYS = ['name', 'type', 'indexed', 'components']

/** An ABI as one line per item, by kind and name, so that moving a function changes nothing. */
export function abiLines(abi: readonly AbiItem[]): string[] {
  const order = ({ type, name = '' }: AbiItem) => `${KINDS.indexOf(type)} ${name}`
  return [...abi].sort((a, b) => compare(order(a), order(b))).map((item) => JSON.stringify(chosen(item, ITEM_KEYS)))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The keys in one order, without what only says how the source called a type. */
function chosen(value: unknown, keys: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => chosen(each, PARAMETER_KEYS))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => keys.includes(key))
  entries.sort(([a], [b]) => keys.indexOf(a) - keys.indexOf(b))
  return Object.fromEntries(entries.map(([key, part]) => [key, chosen(part, PARAMETER_KEYS)]))
}
