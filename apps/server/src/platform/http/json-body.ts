import { isUtf8 } from 'node:buffer'

/** A body that is not looked at any further: where it is wrong, and how. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly statusCode = 400
  readonly field: string

  constructor(field: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/** The deepest body that any operation takes has a few levels; whatever walks a body can do it by recursion. */
const DEEPEST = 20
/** The largest batch has a few thousand fields. */
const MOST_VALUES = 20_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
/** Square and curly ones differ in this bit alone. */
const CURLY_BIT = 0x20
const [OPENING, CLOSING] = [0x7b, 0x7d]

/** One pass over the bytes that makes nothing: a body that would be costly is refused before it costs. */
function refuseCostly(bytes: Buffer): void {
  let depth = 0
  let values = 1
  let isText = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (isText) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === COMMA) values += 1
    else if ((byte | CURLY_BIT) === OPENING) {
      depth += 1
      values += 1
      if (depth > DEEPEST) throw new BodyError('body', `is nested deeper than ${DEEPEST} levels`)
    } else if ((byte | CURLY_BIT) === CLOSING) depth -= 1
    if (values > MOST_VALUES) throw new BodyError('body', `holds more than ${MOST_VALUES} fields and items`)
  }
}

/** Reads by whole characters, so that it finds only what belongs to none. */
const HALF = /\p{Surrogate}/u

/** What no database stores and no signature should cover: NUL, and half of a character. */
export const isPlainText = (text: string): boolean => !text.includes('\u0000') && !HALF.test(text)
export const NOT_PLAIN = 'holds a NUL or half of a character'

/** Only an escape can bring them into a text that is well-formed as a whole. */
const SUSPICIOUS = /\\u(0000|d[89a-f])/i

function refuseOddText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!isPlainText(value)) throw new BodyError(path || 'body', NOT_PLAIN)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      if (!isPlainText(name)) throw new BodyError(path || 'body', `has a field whose name ${NOT_PLAIN}`)
      refuseOddText(inner, path ? `${path}.${name}` : name)
    }
}

/** As a key it would be set, not stored, by later copies of the object. An escape may stand for any of its letters. */
const PROTO = /"(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"\s*:/i

/** Reads a body that may come from anybody. Undefined: it is empty. */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new BodyError('body', 'is not valid JSON')
  refuseCostly(bytes)
  const text = bytes.toString('utf8')
  if (text.trim() === '') return undefined
  const isEscaped = text.includes('\\')
  // Without escapes it has to be there as it is: most bodies need no closer look.
  if ((isEscaped || text.includes('__')) && PROTO.test(text))
    throw new BodyError('body', 'may not have a field called __proto__')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BodyError('body', 'is not valid JSON', { cause })
  }
  if (isEscaped && SUSPICIOUS.test(text)) refuseOddText(value, '')
  return value
}
