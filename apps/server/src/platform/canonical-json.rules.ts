import canonicalizeModule from 'canonicalize'

// The package declares its one function as a default member, but exports the function itself.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined

/** The bytes of RFC 8785: keys sorted, no whitespace. The same content always gives the same bytes. */
export function canonicalJsonOf(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('nothing to canonicalize')
  return text
}
