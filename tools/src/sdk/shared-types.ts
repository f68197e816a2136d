import type { ReadOperation, Schema } from './document.ts'

const FEWEST_FIELDS = 4
/** Names that mean something else already. */
const OF_THE_LANGUAGE = [
  'Address',
  'Array',
  'Date',
  'Error',
  'Hex',
  'Map',
  'Object',
  'Record',
  'Refusal',
  'Request',
  'Response',
]

export const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const singular = (name: string): string =>
  name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name
const nounOf = (id: string): string => id.replace(/^[a-z]+/, '') || pascal(id)

/** Two schemas are the same type when this is equal: descriptions count, limits of strings and numbers do not. */
function keyOf(schema: Schema): string {
  return JSON.stringify(schema, (name, value) =>
    ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'format', 'additionalProperties'].includes(
      name,
    )
      ? undefined
      : value,
  )
}

interface Candidate {
  readonly schema: Schema
  readonly operations: Set<string>
  /** How often it goes by which name. */
  readonly names: Map<string, number>
}

/** What an operation answers, and what it would be called. */
function answersOf({ id, outcome }: ReadOperation): [name: string, schema: Schema | undefined][] {
  if (outcome.form === 'plain')
    return [
      [nounOf(id), outcome.data],
      ['Pagination', outcome.pagination],
    ]
  if (outcome.form === 'build')
    return [
      ['Built', outcome.built],
      ['Confirmed', outcome.confirmed],
    ]
  return outcome.form === 'stream' ? [['Message', outcome.message]] : []
}

function collect(operations: readonly ReadOperation[]): Map<string, Candidate> {
  const found = new Map<string, Candidate>()

  function visit(schema: Schema, name: string, operation: string, isRoot: boolean): void {
    if (!isRoot && Object.keys(schema.properties ?? {}).length >= FEWEST_FIELDS) {
      const key = keyOf(schema)
      const kind = schema.properties?.type?.const
      const own = name === 'Message' && typeof kind === 'string' ? `${pascal(kind)}Message` : name
      const candidate = found.get(key) ?? { schema, operations: new Set(), names: new Map() }
      candidate.operations.add(operation)
      candidate.names.set(own, (candidate.names.get(own) ?? 0) + 1)
      found.set(key, candidate)
    }
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      visit(property, pascal(field), operation, false)
    for (const one of schema.anyOf ?? []) visit(one, name, operation, false)
    for (const one of Object.values(schema.patternProperties ?? {})) visit(one, singular(name), operation, false)
    if (schema.items) visit(schema.items, singular(name), operation, false)
  }

  for (const operation of operations) {
    const name = nounOf(operation.id)
    for (const part of [operation.body, operation.query]) if (part) visit(part, name, operation.id, true)
    for (const [answer, part] of answersOf(operation)) if (part) visit(part, answer, operation.id, false)
  }
  return found
}

export interface SharedType {
  readonly name: string
  readonly schema: Schema
}

/** Objects that several operations of a tag carry, each under one name: what most of them call it. */
export function sharedTypes(operations: readonly ReadOperation[], taken: ReadonlySet<string>) {
  const candidates = [...collect(operations)]
    .filter(([, candidate]) => candidate.operations.size > 1)
    .sort(([a, one], [b, other]) => other.operations.size - one.operations.size || (a < b ? -1 : 1))
  const names = new Map<string, SharedType>()
  const used = new Set([...taken, ...OF_THE_LANGUAGE])
  for (const [key, { schema, operations: users, names: wanted }] of candidates) {
    const byUse = [...wanted].sort(([a, often], [b, less]) => less - often || (a < b ? -1 : 1)).map(([name]) => name)
    const [firstUser = ''] = users
    const requests = [...byUse, ...byUse.map((name) => `${name}Of${pascal(firstUser)}`)]
    const name = requests.find((request) => !used.has(request)) ?? `${requests[0]}${used.size}`
    used.add(name)
    names.set(key, { name, schema })
  }
  const keys = new WeakMap<Schema, string>()
  return {
    types: [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    nameOf(schema: Schema): string | undefined {
      if (!schema.properties) return undefined
      const key = keys.get(schema) ?? keyOf(schema)
      keys.set(schema, key)
      return names.get(key)?.name
    },
  }
}
