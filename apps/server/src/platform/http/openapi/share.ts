import { createShelf } from './shelf.ts'

/** A JSON schema, or any part of one. */
export type Schema = Readonly<Record<string, unknown>>

/** A reference without the name. */
const REFERENCE = '{"$ref":"#/components/schemas/"}'.length
/** What is not longer than this is as clear in its place. */
const SHORT = 40
/** A name is worth it when the document gets shorter by this much. */
const WORTH_A_NAME = 100

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** A union of one is that one; what was said of the union is said of it. A plain value or null is a value of two types. */
function simplified(node: Schema): Schema {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf)) return node
  const [one, other, ...more] = anyOf as readonly Schema[]
  if (one && !other) return { ...one, ...rest }
  const isValueOrNull = one && isPlain(one) && other?.type === 'null' && more.length === 0
  return isValueOrNull ? { ...one, ...rest, type: [one.type, 'null'] } : node
}

/** Short enough to stand in its place, and open to another type: a list of values or a constant would have to name null. */
const isPlain = (schema: Schema): boolean =>
  typeof schema.type === 'string' &&
  schema.type !== 'object' &&
  !('const' in schema || 'enum' in schema) &&
  JSON.stringify(schema).length <= SHORT

/** Where a schema stands: the operation, then the fields. */
type Place = readonly string[]

/** The parts of a schema that are schemas themselves, each with its place. */
function parts(node: Schema, place: Place, each: (part: Schema, place: Place) => Schema): Schema {
  const inner = (value: unknown, part: string): unknown => (isSchema(value) ? each(value, [...place, part]) : value)
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    if (key === 'properties' || key === 'patternProperties')
      return [
        key,
        Object.fromEntries(Object.entries(value as Schema).map(([field, one]) => [field, inner(one, capital(field))])),
      ]
    if (key === 'items' || key === 'additionalProperties') return [key, inner(value, key === 'items' ? 'Item' : '')]
    if ((key === 'anyOf' || key === 'oneOf' || key === 'allOf') && Array.isArray(value))
      return [key, value.map((one, index) => inner(one, `Option${index + 1}`))]
    return [key, value]
  })
  return Object.fromEntries(entries)
}

/** What stands between fields names nothing. */
const isBetween = (word: string): boolean => /^(Option\d+|Data|)$/.test(word)

/** An object is called after its whole place; a value, which the same field has anywhere, after the field. */
function placeName({ type }: Schema, place: Place): string {
  const words = place.filter((word) => !isBetween(word))
  return type === 'object' ? words.join('') : (words.findLast((word) => word !== 'Item') ?? '')
}

/** The one of two that is not null. */
function orNull({ anyOf }: Schema): string | undefined {
  const [one, other] = (anyOf ?? []) as readonly { $ref?: string; type?: string }[]
  return other?.type === 'null' ? one?.$ref?.split('/').at(-1) : undefined
}

/**
 * Keeps once what several schemas have in common, under the name it is known by, or else under that of its first place. All schemas are
 * shown to it first: only then it knows what they have in common.
 */
export function createSharing(known: Readonly<Record<string, Schema>> = {}) {
  const shelf = createShelf('schemas')
  const names = new Map(Object.entries(known).map(([name, schema]) => [JSON.stringify(schema), name]))
  const seen = new Map<string, number>()

  function count(raw: Schema): Schema {
    const node = simplified(raw)
    const text = JSON.stringify(node)
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    // Of a part that is known already, the inner ones are counted with the first.
    if (times === 1) parts(node, [], count)
    return node
  }

  function share(raw: Schema, place: Place): Schema {
    const node = simplified(raw)
    const text = JSON.stringify(node)
    const shared = parts(node, place, share)
    const other = orNull(shared)
    const name = names.get(text) ?? (other ? `${other}OrNull` : placeName(node, place))
    const saved = (text.length - REFERENCE - name.length) * ((seen.get(text) ?? 1) - 1)
    return text.length > SHORT && saved > WORTH_A_NAME ? shelf.put(name, shared) : shared
  }

  return {
    count: (schema: Schema): void => void count(schema),
    share,
    /** Kept under its name however often it is used: what integrators look for. */
    keep: (name: string, schema: Schema): Schema => shelf.put(name, parts(simplified(schema), [name], share)),
    components: () => shelf.all(),
  }
}
