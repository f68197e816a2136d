import { Type } from 'typebox'

/** An address in any valid case; a wrong mixed-case checksum is refused where it is parsed. */
export const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Address: 0x and 40 hex digits.' })
/** An address as this service answers it. */
export const LowercaseAddress = Type.String({ pattern: '^0x[0-9a-f]{40}$', description: 'Address, lowercased.' })
export const Hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description: '0x and 64 hex digits.' })
export const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })
const decimal = { pattern: '^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$' }
export const DecimalString = Type.String({
  ...decimal,
  description: 'Decimal number in token units: no exponent, no trailing zeros.',
})
/** The same where it has to be said which number it is. */
export const DecimalFor = (description: string) => Type.String({ ...decimal, description })
/** Words that people read, on one line: control characters are refused, of which the database could not store all. */
export function Line(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
}
export const Id = Type.String({ maxLength: 100 })

export function Nullable<T extends Parameters<typeof Type.Union>[0][number]>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** One of a fixed set of words. */
export function OneOf<const T extends string[]>(values: readonly [...T], options: { description?: string } = {}) {
  return Type.Enum([...values] as [...T], options)
}
