import { operations } from '@tallystick/wire'
import { describe, expect, it } from 'vitest'
import { plainDocument } from './describe.ts'
import { openApiDocument } from './document.ts'

type Json = { readonly [name: string]: unknown }
type Paths = Record<
  string,
  Record<string, { operationId: string; requestBody?: unknown; responses: Json; parameters: unknown }>
>

// As a client receives it: JSON text, nothing that only lives in memory.
const text = JSON.stringify(openApiDocument('1.2.3'))
const document = JSON.parse(text) as Json & { paths: Paths; components: Record<string, Json> }
const plain = JSON.parse(JSON.stringify(plainDocument('1.2.3'))) as { paths: Paths }

/** With what every reference stands for in its place, without unions of one, and without types of constants, which say them. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved)
  if (typeof value !== 'object' || value === null) return value
  // Examples are only in what is served.
  const { $ref, anyOf, example: _example, examples: _examples, ...all } = value as Json
  // What is served is open, so that a later release can add fields; what we hold ourselves to is closed.
  const { additionalProperties, type, required, ...others } = all
  const rest: Json = {
    ...others,
    ...(additionalProperties ? { additionalProperties } : {}),
    ...(type === undefined || 'const' in others ? {} : { type }),
    ...(Array.isArray(required) ? { required: required.toSorted() } : required === undefined ? {} : { required }),
  }
  if (typeof $ref === 'string') {
    const [, , kind = '', name = ''] = $ref.split('/')
    const found = document.components[kind]?.[name]
    if (found === undefined) throw new Error(`${$ref} stands for nothing`)
    return resolved(found)
  }
  if (Array.isArray(rest.allOf)) return joined(rest)
  const inside = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, resolved(inner)]))
  if (!Array.isArray(anyOf)) return inside
  const members = inOrder(anyOf.flatMap(options)) as Json[]
  if (members.length === 1) return { ...members[0], ...inside }
  return isValueOrNull(members)
    ? { ...members[0], ...inside, type: [members[0]?.type, 'null'] }
    : { anyOf: members, ...inside }
}

/** A plain value or null may be told as a union or as two types. */
const isValueOrNull = ([one, other, ...more]: readonly Json[]): boolean =>
  typeof one?.type === 'string' &&
  one.type !== 'object' &&
  !('const' in one || 'enum' in one) &&
  other?.type === 'null' &&
  more.length === 0

/** Refusals by their codes: a family stands together, wherever its members were listed. */
function inOrder(members: unknown[]): unknown[] {
  const codeOf = (one: unknown) =>
    String((one as { properties?: { code?: { const?: string } } }).properties?.code?.const)
  return members.every((one) => codeOf(one) !== 'undefined')
    ? members.toSorted((a, b) => (codeOf(a) < codeOf(b) ? -1 : 1))
    : members
}

/** Of a union within a union its members: a family of refusals is one for many operations. */
function options(one: unknown): unknown[] {
  const isFamily =
    typeof one === 'object' && one !== null && /\/(Door|Verifier)\d+(_\d+)?$/.test(String((one as Json).$ref))
  const whole = resolved(one)
  return isFamily ? (whole as { anyOf: unknown[] }).anyOf : [whole]
}

/** An envelope and what it holds, as one object. */
function joined({ allOf, properties, required }: Json): Json {
  const [envelope] = (allOf as unknown[]).map(resolved) as (Json & { properties: Json; required: string[] })[]
  const all = new Set([...(envelope?.required ?? []), ...(required as string[])])
  return {
    ...envelope,
    required: [...all].sort(),
    properties: { ...envelope?.properties, ...(resolved(properties) as Json) },
  }
}

const isRefusal = (schema: unknown) =>
  JSON.stringify(schema).startsWith('{"allOf":[{"$ref":"#/components/schemas/Failure"}')

const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
)

describe('the served document', () => {
  it('lists every path that answers, each operation under an id of its own', () => {
    const mounts = operations.flatMap(({ method, path, alsoAt = [] }) =>
      [path, ...alsoAt].map((one) => `${method} ${one}`),
    )
    expect(listed.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(mounts.sort())
    const ids = listed.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(operations.map(({ id }) => id)))
    expect(document.security).toEqual([{ apiKey: [] }])
    const open = operations.filter((one) => one.open).map(({ id }) => id)
    expect(open).toEqual(['signIn', 'challengeSignIn', 'beginProviderSignIn'])
    const others = listed.flatMap((one) => ('security' in one ? [[one.operationId, one.security]] : []))
    expect(others).toEqual(open.map((id) => [id, []]))
    expect(document.paths['/orderbooks/commodities/api/order-books/{orderBookId}/trades']?.get?.operationId).toBe(
      'listOrderBookTradesAtOrderbooksCommodities',
    )
  })

  it('says of each operation what its declaration says, on all of its mounts', () => {
    for (const { id, method, path, alsoAt = [] } of operations) {
      const key = method.toLowerCase()
      const { responses, parameters } = plain.paths[path]?.[key] ?? {}
      const main = document.paths[path]?.[key]
      expect({ id, responses: resolved(main?.responses) }).toEqual({ id, responses: resolved(responses) })
      expect({ id, parameters: resolved(main?.parameters) }).toEqual({ id, parameters: resolved(parameters) })
      for (const mount of alsoAt)
        expect(document.paths[mount]?.[key]).toMatchObject({ responses: main?.responses, parameters: main?.parameters })
    }
  })

  it('shows a body for each leg, of which a request is one', () => {
    const { content } = resolved(
      document.paths['/lending-external-securities/api/positions/{marketId}/borrow-more']?.post?.requestBody,
    ) as {
      content: Record<string, { schema: { oneOf: { required: string[] }[] } }>
    }
    const bodies = content['application/json']?.schema.oneOf ?? []
    expect(bodies.map(({ required }) => required.includes('txHash'))).toEqual([false, true])
  })

  it('lets answers grow, and requests only hold what they list', () => {
    const { responses, schemas } = document.components
    expect(JSON.stringify(responses)).not.toContain('"additionalProperties":false')
    expect(JSON.stringify(schemas?.BorrowMoreBuildBody)).toContain('"additionalProperties":false')
  })

  it('shows what tests sent on each leg, and what the first one was answered', () => {
    const content = (kind: string, name: string) =>
      (document.components[kind]?.[name] as { content: Record<string, Json> } | undefined)?.content['application/json']
    expect(content('requestBodies', 'borrowMore')?.examples).toEqual({
      build: { value: expect.objectContaining({ amount: expect.any(String) }) },
      confirm: { value: expect.objectContaining({ txHash: expect.stringMatching(/^0x/) }) },
    })
    expect(content('responses', 'borrowMore.200')?.example).toMatchObject({ success: true, data: expect.any(Object) })
  })

  it('shows examples beside JSON and the messages of streams alone, and of each of these one', () => {
    const media = Object.values(document.components.responses ?? {}).flatMap((answer) =>
      Object.entries((answer as { content?: Record<string, Json> }).content ?? {}),
    )
    const without = (type: string) =>
      media.filter(([own, { schema, example }]) => own === type && !example && !isRefusal(schema))
    expect(media.filter(([type, { example }]) => example && !/json|event-stream/.test(type))).toEqual([])
    expect([...without('application/json'), ...without('text/event-stream')]).toEqual([])
  })

  it('is small, has no union of one, and names nothing that it does not use', () => {
    // How large it is on the way to a caller is in the test of the door's manners.
    expect(Buffer.byteLength(text)).toBeLessThan(2_000_000)
    expect(text).not.toMatch(/"(anyOf|oneOf)":\[\{[^{}]*\}\]/)
    const used = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind} ${name}`),
    )
    const { securitySchemes: _, ...shared } = document.components
    const named = Object.entries(shared).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind} ${name}`))
    expect(named.filter((one) => !used.has(one))).toEqual([])
    expect(Object.keys(shared.schemas ?? {})).toEqual(
      expect.arrayContaining(['Metadata', 'LowercaseAddress', 'Error.MARKET_NOT_FOUND']),
    )
  })
})
