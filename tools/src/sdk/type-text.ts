import type { Schema } from './document.ts'

/** The name under which a schema is known, if it has one. */
export type NameOf = (schema: Schema) => string | undefined

const LINE = 110
const pad = (depth: number) => '  '.repeat(depth)
/** Our own type of schema: text in an address, where numbers and booleans are text as well. */
export const FREE_TEXT = 'free text'

const isHex = ({ pattern }: Schema) => pattern?.startsWith('^0x') ?? false
const isAddress = ({ pattern }: Schema) => /^\^0x\[[^\]]+\]\{40\}\$$/.test(pattern ?? '')
export const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
const keyText = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** A comment of one line, whatever the words hold. */
export function comment(words: string | undefined, depth: number): string {
  if (!words) return ''
  return `${pad(depth)}/** ${words.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`
}

function scalarText(schema: Schema): string {
  switch (schema.type) {
    case 'string':
      return isAddress(schema) ? 'Address' : isHex(schema) ? 'Hex' : 'string'
    case FREE_TEXT:
      return 'Scalar'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

export function unionText(members: readonly string[], depth: number): string {
  const distinct = [...new Set(members)]
  const line = distinct.join(' | ')
  if (distinct.length < 2 || (!line.includes('\n') && line.length <= LINE - 2 * depth)) return line
  return distinct.map((one) => `\n${pad(depth + 1)}| ${one}`).join('')
}

/** Behind a colon or an equals sign: what begins on a line of its own wants no blank before it. */
export const spaced = (text: string): string => (text.startsWith('\n') ? text : ` ${text}`)

function objectText(schema: Schema, depth: number, nameOf: NameOf): string {
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const text = typeText(property, depth + 1, nameOf)
    // What an address is, its type says.
    const words = text === 'Address' || text === 'Hex' ? undefined : property.description
    return `${comment(words, depth + 1)}${pad(depth + 1)}${keyText(name)}${required.has(name) ? '' : '?'}:${spaced(text)}\n`
  })
  return fields.length === 0 ? 'Record<never, never>' : `{\n${fields.join('')}${pad(depth)}}`
}

/** A schema as a type, written at this depth; what has a name is only named. */
export function typeText(schema: Schema, depth: number, nameOf: NameOf): string {
  const name = nameOf(schema)
  if (name) return name
  return bodyText(schema, depth, nameOf)
}

/** A choice of choices is one choice. */
function membersText(schema: Schema, depth: number, nameOf: NameOf): string[] {
  if (schema.enum) return schema.enum.map(quoted)
  if (schema.anyOf) return schema.anyOf.flatMap((one) => membersText(one, depth, nameOf))
  return [typeText(schema, schema.properties ? depth + 1 : depth, nameOf)]
}

/** The same, for what stands behind the name itself. */
export function bodyText(schema: Schema, depth: number, nameOf: NameOf): string {
  if ('const' in schema) return quoted(schema.const)
  if (schema.enum || schema.anyOf) return unionText(membersText(schema, depth, nameOf), depth)
  if (schema.type === 'array') {
    const item = typeText(schema.items ?? {}, depth, nameOf)
    return /[|{ ]/.test(item) ? `ReadonlyArray<${item}>` : `readonly ${item}[]`
  }
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values) return `Record<string, ${typeText(values, depth, nameOf)}>`
  return schema.properties ? objectText(schema, depth, nameOf) : scalarText(schema)
}
