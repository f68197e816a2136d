type Value = string | number | boolean | bigint | null | undefined | readonly Value[] | Members
interface Members {
  readonly [key: string]: Value
}

/** In front of a whole number beyond what JSON numbers carry, and doubled in front of a text that starts with it. */
const MARK = '#'

/** The same bytes for the same value: keys sorted, absent ones left out, bigints as marked digits. */
export function canonicalText(value: unknown): string {
  return write(value as Value)
}

function write(value: Value): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.startsWith(MARK) ? MARK + value : value)
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

/** Few shapes come by the million: each is sorted once. */
const shapes = new Map<string, readonly Key[]>()
const MOST_SHAPES = 1_000

function sortedKeys(keys: string[]): readonly Key[] {
  const shape = keys.join('\n')
  const known = shapes.get(shape)
  if (known) return known
  const sorted = keys.sort().map((key) => ({ key, quoted: JSON.stringify(key) }))
  if (shapes.size < MOST_SHAPES) shapes.set(shape, sorted)
  return sorted
}

export function readCanonicalText(text: string): unknown {
  return JSON.parse(text, (_, value) => {
    if (typeof value !== 'string' || !value.startsWith(MARK)) return value
    return value.startsWith(MARK + MARK) ? value.slice(1) : BigInt(value.slice(1))
  })
}
