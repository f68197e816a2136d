type Value = string | number | boolean | bigint | null | undefined | readonly Value[] | Members
interface Members {
  readonly [key: string]: Value
}

/** In front of a whole number beyond what JSON numbers carry, and doubled in front of a text that starts with it. */
const MARK = '#'

/** What JSON writes as it is. Most texts here are ids and names, and to quote them is all there is to do. */
const PLAIN = /^[\w:. -]*$/

/** The same bytes for the same value: keys sorted, absent ones left out, bigints as marked digits. */
export function canonicalText(value: unknown): string {
  return write(value as Value)
}

export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  return JSON.stringify(text.startsWith(MARK) ? MARK + text : text)
}

function write(value: Value): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
    case 'boolean':
      return `${value}`
    case 'bigint':
      return `"${MARK}${value}"`
    case 'undefined':
      return 'null'
    default:
      if (value === null) return 'null'
      return isList(value) ? `[${value.map(write).join(',')}]` : writeMembers(value)
  }
}

const isList = (value: object): value is readonly Value[] => Array.isArray(value)

function writeMembers(value: Members): string {
  let text = ''
  for (const { key, quoted } of sortedKeys(Object.keys(value))) {
    const member = value[key]
    if (member !== undefined) text += `${text === '' ? '{' : ','}${quoted}:${write(member)}`
  }
  return text === '' ? '{}' : `${text}}`
}

interface Key {
  readonly key: string
  readonly quoted: string
}

interface Shape {
  readonly keys: readonly string[]
  readonly sorted: readonly Key[]
}

/** Few shapes come by the million: each is sorted once. By how many keys they have; those of one number are told apart key by key. */
const shapes: Shape[][] = []
const MOST_OF_A_LENGTH = 32

function sortedKeys(keys: readonly string[]): readonly Key[] {
  shapes[keys.length] ??= []
  const known = shapes[keys.length] as Shape[]
  for (const shape of known) if (isSame(shape.keys, keys)) return shape.sorted
  const sorted = keys.toSorted().map((key) => ({ key, quoted: JSON.stringify(key) }))
  if (known.length < MOST_OF_A_LENGTH) known.push({ keys, sorted })
  return sorted
}

function isSame(keys: readonly string[], others: readonly string[]): boolean {
  for (let index = 0; index < keys.length; index += 1) if (keys[index] !== others[index]) return false
  return true
}

/** The value that was written. A text without a mark holds none to undo, and most have none. */
export function readCanonicalText(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes(`"${MARK}`) ? withoutMarks(value) : value
}

function withoutMarks(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith(MARK))
    return value.startsWith(MARK + MARK) ? value.slice(1) : BigInt(value.slice(1))
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutMarks(member)]))
}
